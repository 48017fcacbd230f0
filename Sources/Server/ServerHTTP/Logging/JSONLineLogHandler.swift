package import Logging
import StrictJSON

/// Writes each log event as one line of JSON.
package struct JSONLineLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    package var logLevel: Logger.Level

    private let label: String
    private let timestamp: @Sendable () -> String
    private let write: @Sendable ([UInt8]) -> Void

    /// Makes the handler of one logger.
    ///
    /// `timestamp` gives the present time as text; `write` takes whole lines with their line feed.
    package init(
        label: String, level: Logger.Level, timestamp: @escaping @Sendable () -> String,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.label = label
        logLevel = level
        self.timestamp = timestamp
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var members: [JSONObject.Member] = [
            .init("ts", .string(timestamp())), .init("level", .string(event.level.rawValue)),
            .init("logger", .string(label)), .init("message", .string(event.message.description)),
        ]
        var merged = metadata
        merged.merge(metadataProvider?.get() ?? [:]) { _, new in new }
        merged.merge(event.metadata ?? [:]) { _, new in new }
        if let error = event.error { merged["error"] = "\(type(of: error))" }
        for (name, value) in merged.sorted(by: { $0.key < $1.key }) where !Self.ownNames.contains(name) {
            members.append(.init(name, Self.json(value)))
        }
        write(JSONWriter.write(.object(JSONObject(distinct: members))) + [UInt8(ascii: "\n")])
    }

    /// Names of what every line has, which metadata cannot replace.
    private static let ownNames = ["ts", "level", "logger", "message"]

    private static func json(_ value: Logger.MetadataValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value):
            if let number = value as? any FixedWidthInteger {
                .integer(Int64(clamping: number))
            } else {
                .string(value.description)
            }
        case .array(let values): .array(values.map(json))
        case .dictionary(let members):
            .object(
                JSONObject(
                    distinct: members.sorted { $0.key < $1.key }.map { JSONObject.Member($0.key, json($0.value)) }))
        }
    }
}
