package import StrictJSON

/// Version of an application: one to four numbers with dots between them, such as `5.2.0`.
///
/// A number that is missing counts as zero: `5.2` and `5.2.0` are the same version.
package struct ApplicationVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    private static let partCount = 4
    private static let digitCount = 9

    /// Four numbers.
    private let parts: [Int]
    /// The version as it was written.
    package let text: String

    /// Reads a version; nil for anything else.
    package init?(_ text: String) {
        let written = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...Self.partCount).contains(written.count) else { return nil }
        var parts: [Int] = []
        for part in written {
            guard (1...Self.digitCount).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            parts.append(part.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        }
        self.parts = parts + Array(repeating: 0, count: Self.partCount - parts.count)
        self.text = text
    }

    package var description: String { text }

    package static func == (one: Self, other: Self) -> Bool { one.parts == other.parts }

    package static func < (one: Self, other: Self) -> Bool { one.parts.lexicographicallyPrecedes(other.parts) }

    package func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// Answer of a server to the version of an application: the claims of a JWS with `typ` ``type``.
package struct ApplicationVersionStatement: Sendable, Hashable {
    /// `typ` and `aud` of the JWS.
    package static let type = "signet-app-version+jwt"

    /// Verdict on the version that was asked about.
    package enum Verdict: String, Sendable, Hashable, CaseIterable {
        case upToDate, updateAvailable
        /// The version is older than the minimum.
        case updateRequired
        /// The operator has blocked this version.
        case blocked
    }

    /// The facet that was asked about.
    package let facet: String
    /// The version that was asked about.
    package let version: ApplicationVersion
    package let verdict: Verdict
    package let minimum: ApplicationVersion?
    package let latest: ApplicationVersion?
    /// Address where the application is updated.
    package let storeAddress: String?
    /// Text for the person, by language.
    package let messages: [String: String]

    package init(
        facet: String, version: ApplicationVersion, verdict: Verdict, minimum: ApplicationVersion?,
        latest: ApplicationVersion?, storeAddress: String?, messages: [String: String]
    ) {
        self.facet = facet
        self.version = version
        self.verdict = verdict
        self.minimum = minimum
        self.latest = latest
        self.storeAddress = storeAddress
        self.messages = messages
    }

    package var members: JSONObject {
        var texts = JSONObject(distinct: [])
        for (language, text) in messages.sorted(by: { $0.key < $1.key }) { texts.append(language, .string(text)) }
        return [
            "facet": .string(facet), "version": .string(version.text), "status": .string(verdict.rawValue),
            "minimumVersion": minimum.map { .string($0.text) }, "latestVersion": latest.map { .string($0.text) },
            "storeUrl": storeAddress.map { .string($0) }, "message": messages.isEmpty ? nil : .object(texts),
        ]
    }

    /// Reads the claims; throws ``JSONTypeError`` for what they cannot be.
    package init(members: JSONObject) throws(JSONTypeError) {
        guard let verdict = Verdict(rawValue: try members.string("status")) else {
            throw JSONTypeError(path: ["status"], .outOfRange)
        }
        var messages: [String: String] = [:]
        let texts = try members.optional("message") { value throws(JSONTypeError) in try value.asObject() }
        for member in texts?.members ?? [] { messages[member.name] = try member.value.asString() }
        self.init(
            facet: try members.string("facet"), version: try members.required("version", Self.version),
            verdict: verdict, minimum: try members.optional("minimumVersion", Self.version),
            latest: try members.optional("latestVersion", Self.version),
            storeAddress: try members.optionalString("storeUrl"), messages: messages)
    }

    private static func version(_ value: JSONValue) throws(JSONTypeError) -> ApplicationVersion {
        guard let version = ApplicationVersion(try value.asString()) else { throw JSONTypeError(.invalidForm) }
        return version
    }
}
