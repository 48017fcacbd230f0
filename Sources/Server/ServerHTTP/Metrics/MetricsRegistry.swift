package import Metrics
import Synchronization

/// A metrics backend that keeps everything in memory and writes it in Prometheus' text format.
package final class MetricsRegistry: Sendable {
    /// What kind of metric a name stands for.
    enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// A metric's name with its labels in the form that is written.
    struct Key: Hashable, Sendable {
        let name: String
        let labels: String
    }

    private struct State {
        var kinds: [String: Kind] = [:]
        var series: [Key: MetricSeries] = [:]
    }

    /// More series than this are not kept apart: a label with free text must not fill the memory.
    private static let seriesLimit = 4_096

    private let state = Mutex(State())

    /// An empty registry.
    package init() {}

    /// The series of a name and its dimensions, made when it is new.
    func series(_ label: String, _ dimensions: [(String, String)], _ kind: Kind) -> MetricSeries {
        let key = Key(name: PrometheusText.name(label), labels: PrometheusText.labels(dimensions))
        return state.withLock { state in
            if let known = state.series[key] { return known }
            let series = MetricSeries()
            guard state.series.count < Self.seriesLimit else { return series }
            state.kinds[key.name] = kind
            state.series[key] = series
            return series
        }
    }

    /// All metrics in Prometheus' text format, sorted by name.
    package var text: String {
        let (kinds, series) = state.withLock { ($0.kinds, $0.series) }
        let keys = series.keys.sorted { ($0.name, $0.labels) < ($1.name, $1.labels) }
        var text = ""
        var lastName = ""
        for key in keys {
            guard let kind = kinds[key.name], let value = series[key]?.snapshot else { continue }
            if key.name != lastName { text += "# TYPE \(key.name) \(kind.rawValue)\n" }
            lastName = key.name
            text += PrometheusText.lines(key, kind, value)
        }
        return text
    }
}

extension MetricsRegistry: MetricsFactory {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter)
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, .counter)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge)
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        series(label, dimensions, .histogram)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .histogram)
    }

    // Series stay until the process ends: a Prometheus counter must not disappear between two readings.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
