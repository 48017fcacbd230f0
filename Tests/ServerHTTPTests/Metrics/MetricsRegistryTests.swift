import Metrics
import Testing

@testable import ServerHTTP

@Suite("Metrics: Prometheus text")
struct MetricsRegistryTests {
    @Test("A counter adds up per label set")
    func counter() {
        let registry = MetricsRegistry()
        for status in ["200", "200", "400"] {
            Counter(label: "http.requests-total", dimensions: [("status", status)], factory: registry).increment()
        }
        #expect(
            registry.text == """
                # TYPE http_requests_total counter
                http_requests_total{status="200"} 2
                http_requests_total{status="400"} 1

                """)
    }

    @Test("A timer becomes a histogram in seconds")
    func timer() {
        let registry = MetricsRegistry()
        let timer = Timer(label: "t", dimensions: [], factory: registry)
        timer.recordNanoseconds(2_000_000)
        timer.recordNanoseconds(20_000_000_000)
        let lines = registry.text.split(separator: "\n")
        #expect(lines.first == "# TYPE t histogram")
        #expect(lines.contains("t_bucket{le=\"0.001\"} 0"))
        #expect(lines.contains("t_bucket{le=\"0.0025\"} 1"))
        #expect(lines.contains("t_bucket{le=\"10\"} 1"))
        #expect(lines.contains("t_bucket{le=\"+Inf\"} 2"))
        #expect(lines.contains("t_sum 20.002"))
        #expect(lines.contains("t_count 2"))
    }

    @Test("A label value cannot break out of its quotes")
    func escaped() {
        let registry = MetricsRegistry()
        Counter(label: "c", dimensions: [("l", "a\"b\\c\nd")], factory: registry).increment()
        #expect(registry.text.contains("c{l=\"a\\\"b\\\\c\\nd\"} 1\n"))
    }

    @Test("A flood of label values does not fill the memory")
    func bounded() {
        let registry = MetricsRegistry()
        for index in 0..<5_000 {
            Counter(label: "c", dimensions: [("l", String(index))], factory: registry).increment()
        }
        #expect(registry.text.split(separator: "\n").count == 4_097)
    }
}
