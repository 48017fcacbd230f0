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
        let metadata = metadata(of: event)
        var members: [JSONObject.Member] = []
        members.reserveCapacity(4 + metadata.count)
        members.append(.init("ts", .string(timestamp())))
        members.append(.init("level", .string(event.level.rawValue)))
        members.append(.init("logger", .string(label)))
        members.append(.init("message", .string(event.message.description)))
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) where !Self.ownNames.contains(name) {
            members.append(.init(name, Self.json(value)))
        }
        var line = JSONWriter.write(.object(JSONObject(distinct: members)))
        line.append(UInt8(ascii: "\n"))
        write(line)
    }

    /// Metadata of the logger, its provider and the event, the later before the earlier; most loggers have none
    /// themselves.
    private func metadata(of event: LogEvent) -> Logger.Metadata {
        var merged = metadata
        for known in [metadataProvider?.get(), event.metadata] {
            guard let known else { continue }
            if merged.isEmpty { merged = known } else { merged.merge(known) { _, new in new } }
        }
        if let error = event.error { merged["error"] = "\(type(of: error))" }
        return merged
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
