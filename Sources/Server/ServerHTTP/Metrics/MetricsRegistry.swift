package import Metrics
import Synchronization

/// A metrics backend that keeps everything in memory and writes it in Prometheus' text format.
package final class MetricsRegistry: Sendable {
    /// Kind of metric, by its name in the text format.
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    /// A metric's name with its labels in the form that is written.
    struct Key: Hashable, Sendable {
        let name: String
        let labels: String
    }

    private struct State {
        var kinds: [String: Kind] = [:]
        var series: [Key: MetricSeries] = [:]
        var updates: [@Sendable (MetricsRegistry) -> Void] = []
    }

    /// More series than this are not kept apart: a label with free text must not fill the memory.
    private static let seriesLimit = 4_096

    private let state = Mutex(State())

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

    /// Has figures that are asked for, and not counted, written each time the metrics are read.
    package func beforeReading(_ update: @escaping @Sendable (MetricsRegistry) -> Void) {
        state.withLock { $0.updates.append(update) }
    }

    package func put(_ value: Double, into label: String, _ kind: Kind, _ dimensions: [(String, String)] = []) {
        series(label, dimensions, kind).put(value)
    }

    /// All metrics in Prometheus' text format, sorted by name.
    package var text: String {
        for update in state.withLock({ $0.updates }) { update(self) }
        let (kinds, series) = state.withLock { ($0.kinds, $0.series) }
        let keys = series.keys.sorted { ($0.name, $0.labels) < ($1.name, $1.labels) }
        var text = ""
        var lastName = ""
        for key in keys {
            guard let kind = kinds[key.name], let value = series[key]?.snapshot else { continue }
            if key.name != lastName { text += PrometheusText.head(key.name, kind) }
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

/// One time series: a metric with one set of labels.
final class MetricSeries: Sendable {
    /// Accumulated values of a series.
    struct Value: Sendable {
        /// Sum of all increments, or the last value set.
        var total = 0.0
        var count: UInt64 = 0
        /// Values recorded up to each bound of ``MetricSeries/bounds``.
        var buckets = [UInt64](repeating: 0, count: MetricSeries.bounds.count)
    }

    /// Upper bounds of the latency buckets in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let value = Mutex(Value())

    var snapshot: Value { value.withLock { $0 } }

    func add(_ amount: Double) {
        value.withLock { $0.total += amount }
    }

    func put(_ amount: Double) {
        value.withLock { $0.total = amount }
    }

    func observe(_ amount: Double) {
        value.withLock { value in
            value.total += amount
            value.count += 1
            for (index, bound) in Self.bounds.enumerated() where amount <= bound { value.buckets[index] += 1 }
        }
    }

    func clear() {
        value.withLock { $0 = Value() }
    }
}

extension MetricSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func set(_ value: Int64) { put(Double(value)) }
    func set(_ value: Double) { put(value) }
    func record(_ value: Int64) { observe(Double(value)) }
    func record(_ value: Double) { observe(value) }
    func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1_000_000_000) }
    func reset() { clear() }
}

/// The text format that Prometheus reads (version 0.0.4).
enum PrometheusText {
    static func name(_ label: String) -> String {
        let letters = label.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "_"
        }
        return String(letters)
    }

    /// Dimensions as they stand between braces, sorted by name.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.sorted { $0.0 < $1.0 }.map { "\(name($0.0))=\"\(escape($0.1))\"" }.joined(separator: ",")
    }

    static func head(_ name: String, _ kind: MetricsRegistry.Kind) -> String {
        let help = MetricHelp.texts[name].map { "# HELP \(name) \(escape($0, quoted: false))\n" }
        return (help ?? "") + "# TYPE \(name) \(kind.rawValue)\n"
    }

    static func lines(
        _ key: MetricsRegistry.Key, _ kind: MetricsRegistry.Kind, _ value: MetricSeries.Value
    ) -> String {
        guard kind == .histogram else { return line(key.name, key.labels, number(value.total)) }
        var text = ""
        for (bound, count) in zip(MetricSeries.bounds, value.buckets) {
            text += line("\(key.name)_bucket", joined(key.labels, "le=\"\(number(bound))\""), String(count))
        }
        text += line("\(key.name)_bucket", joined(key.labels, "le=\"+Inf\""), String(value.count))
        text += line("\(key.name)_sum", key.labels, number(value.total))
        return text + line("\(key.name)_count", key.labels, String(value.count))
    }

    private static func line(_ name: String, _ labels: String, _ value: String) -> String {
        labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    private static func joined(_ labels: String, _ label: String) -> String {
        labels.isEmpty ? label : labels + "," + label
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        guard value.isFinite else { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map { String($0) } ?? String(value)
    }

    /// The text by scalars: a carriage return and a line feed are one character, which would pass as a whole.
    static func escape(_ text: String, quoted: Bool = true) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"" where quoted: "\\\""
            case "\n": "\\n"
            default: String(scalar)
            }
        }.joined()
    }
}
