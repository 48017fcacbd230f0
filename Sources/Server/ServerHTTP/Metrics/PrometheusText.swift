/// The text format that Prometheus reads (version 0.0.4).
enum PrometheusText {
    /// A label of swift-metrics as a metric name.
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

    /// The lines of one series.
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
        Int64(exactly: value).map { String($0) } ?? String(value)
    }

    private static func escape(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            default: String(character)
            }
        }.joined()
    }
}
