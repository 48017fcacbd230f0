import Metrics
import Synchronization
import TestSupport
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

    @Test("The whole text is what the format allows, with what each metric means before its kind")
    func strict() throws {
        let registry = MetricsRegistry()
        for value in ["a\"b\\c\nd", "\r\n", "", "é\u{301}", "{},=\"", "plain"] {
            Counter(
                label: "signet_http_requests_total", dimensions: [("endpoint", value), ("status", "200")],
                factory: registry
            )
            .increment()
            Timer(label: "signet_http_request_seconds", dimensions: [("endpoint", value)], factory: registry)
                .recordNanoseconds(3_000_000_000)
        }
        Timer(label: "t", dimensions: [], factory: registry).recordNanoseconds(1)
        for (index, value) in [0.1, -3, 1e300, .infinity, -.infinity, .nan].enumerated() {
            registry.put(value, into: "g", .gauge, [("n", String(index))])
        }
        let exposition = try Exposition(registry.text)
        #expect(
            exposition.families.map(\.name) == ["g", "signet_http_request_seconds", "signet_http_requests_total", "t"])
        #expect(exposition.family("signet_http_requests_total")?.help == MetricHelp.texts["signet_http_requests_total"])
        #expect(exposition.family("g")?.help == nil && exposition.family("g")?.values.count == 6)
        #expect(exposition.family("signet_http_requests_total")?.values.count == 6)
    }

    @Test("A text about a metric keeps its quotes, and cannot end its line")
    func help() {
        #expect(PrometheusText.escape("a \"b\" \\ c\r\nd", quoted: false) == "a \"b\" \\\\ c\r\\nd")
    }

    @Test("What is asked for is written anew each time the metrics are read")
    func asked() {
        let registry = MetricsRegistry()
        let count = Mutex(0.0)
        registry.beforeReading { metrics in
            metrics.put(
                count.withLock {
                    $0 += 1
                    return $0
                }, into: "asked", .counter)
        }
        #expect(registry.text.contains("asked 1\n") && registry.text.contains("asked 2\n"))
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
