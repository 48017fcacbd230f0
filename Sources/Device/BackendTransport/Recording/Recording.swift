import Crypto
import HardwareKeys
import Locking
import Octets

/// Recording decorator of a transport: writes each exchange into a folder, with shapes, sizes, status codes and times,
/// and of the values only those that are known to be harmless.
///
/// Exchange 1 is `001-request.http` and `001-response.http`, or `001-failure.txt` where there is no response. A file that
/// cannot be written is left out: a record is never worth an operation.
package final class RecordingTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let folder: RecordingFolder
    private let marks = RecordingMarks()
    private let count = Lock<Int>(0)

    /// Records what `transport` carries into the folder at `path`, which is made when it is missing.
    package init(_ transport: any HTTPTransport, intoFolderAt path: String) {
        self.transport = transport
        folder = RecordingFolder(path: path)
    }

    package func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        folder.write(RecordedMessage(request, marks).octets, number: number, name: "request.http")
        let start = ContinuousClock.now
        do {
            let response = try await transport.response(to: request)
            let message = RecordedMessage(response, after: ContinuousClock.now - start, marks)
            folder.write(message.octets, number: number, name: "response.http")
            return response
        } catch {
            let elapsed = RecordedMessage.milliseconds(ContinuousClock.now - start)
            folder.write(Array("\(error.description) after \(elapsed) ms\n".utf8), number: number, name: "failure.txt")
            throw error
        }
    }
}

/// The folder that recorded exchanges go to; its files are for their owner only, from the first byte on.
private struct RecordingFolder: Sendable {
    private let path: String
    private let fileSystem = PosixFileSystem(allowsNetwork: true)

    init(path: String) { self.path = path }

    func write(_ octets: [UInt8], number: Int, name: String) {
        // A folder that is there already may be open to others; the files in it are not.
        try? fileSystem.makeDirectory(path)
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        try? AtomicFile(named: padded + "-" + name, in: path, of: fileSystem).replace(with: octets)
    }
}

/// The text of a request or response as it is recorded: start line, header fields, empty line, body.
///
/// Only what is known to be harmless is written; everything else is a mark (``RecordingMarks``). The first field is not one
/// of the message: it says how long the body is, and for a response how long it took.
struct RecordedMessage: Sendable {
    /// Header fields whose values stay, unless something in them looks like a token.
    private static let harmlessFields = Set(
        """
        accept accept-encoding accept-language age allow cache-control connection content-encoding content-language \
        content-length content-type date host keep-alive referrer-policy retry-after server strict-transport-security \
        transfer-encoding user-agent vary x-content-type-options x-frame-options
        """.split(separator: " ").map(String.init))
    private static let harmlessCookieAttributes: Set = ["expires", "max-age", "httponly", "secure", "samesite"]
    private static let longestScheme = 12
    private static let longestValue = 256

    let octets: [UInt8]

    init(_ request: BackendRequest, _ marks: RecordingMarks) {
        self.init(
            "\(request.method.rawValue) \(BodyMask(marks: marks).address(request.url)) HTTP/1.1", request.headers,
            request.body, note: "\(request.body.count) bytes", marks)
    }

    init(_ response: BackendResponse, after elapsed: Duration, _ marks: RecordingMarks) {
        self.init(
            "HTTP/1.1 \(response.status)", response.headers, response.body,
            note: "\(response.body.count) bytes after \(Self.milliseconds(elapsed)) ms", marks)
    }

    private init(_ start: String, _ headers: HeaderFields, _ body: [UInt8], note: String, _ marks: RecordingMarks) {
        let lines = headers.fields.map { Self.line($0, marks) }
        octets =
            Array(([start, "Recorded: \(note)"] + lines).map { $0 + "\r\n" }.joined().utf8) + Array("\r\n".utf8)
            + BodyMask(marks: marks).body(body, type: headers.first("content-type"))
    }

    static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
    }

    private static func line(_ field: HeaderFields.Field, _ marks: RecordingMarks) -> String {
        let name = HarmlessMembers.isName(field.name) ? field.name : marks.mark(field.name)
        return name + ": " + value(of: field, marks)
    }

    private static func value(of field: HeaderFields.Field, _ marks: RecordingMarks) -> String {
        switch field.name.lowercased() {
        case "authorization", "proxy-authorization", "www-authenticate": return credentials(field.value, marks)
        case "cookie": return cookies(field.value, areSet: false, marks)
        case "set-cookie": return cookies(field.value, areSet: true, marks)
        case "location", "content-location", "referer": return BodyMask(marks: marks).address(field.value)
        case let name:
            let isHarmless =
                harmlessFields.contains(name) && field.value.utf8.count <= longestValue
                && field.value.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !TokenShape.isIn(field.value)
            return isHarmless ? field.value : marks.mark(field.value)
        }
    }

    /// The scheme (Bearer, Basic) tells what was sent and not with which secret.
    private static func credentials(_ value: String, _ marks: RecordingMarks) -> String {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].utf8.count <= longestScheme, HarmlessMembers.isName(parts[0]) else {
            return marks.mark(value)
        }
        return "\(parts[0]) \(marks.mark(parts[1]))"
    }

    /// Names stay, values go; of the attributes of a cookie those stay that the standard knows (RFC 6265, 4.1).
    private static func cookies(_ value: String, areSet: Bool, _ marks: RecordingMarks) -> String {
        value.split(separator: ";", omittingEmptySubsequences: false).enumerated().map { index, part in
            let trimmed = part.drop { $0 == " " }
            let blanks = part[..<trimmed.startIndex]
            return blanks + (areSet && index > 0 ? attribute(trimmed, marks) : cookie(trimmed, marks))
        }.joined(separator: ";")
    }

    private static func cookie(_ text: Substring, _ marks: RecordingMarks) -> String {
        guard let equals = text.firstIndex(of: "=") else { return text.isEmpty ? "" : marks.mark(text) }
        let name = text[..<equals]
        return (HarmlessMembers.isName(name) ? String(name) : marks.mark(name)) + "="
            + marks.mark(text[text.index(after: equals)...])
    }

    private static func attribute(_ text: Substring, _ marks: RecordingMarks) -> String {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first?.lowercased() ?? ""
        if parts.count == 2, name == "path" || name == "domain" {
            return "\(parts[0])=" + BodyMask(marks: marks).address(String(parts[1]))
        }
        let isHarmless = harmlessCookieAttributes.contains(name) && text.utf8.count <= 60 && !TokenShape.isIn(text)
        return isHarmless ? String(text) : marks.mark(text)
    }
}

/// The marks that stand in a recording for values that are not written: kind, number of bytes, keyed hash.
///
/// `<jws 412 #9f2c11ab>` is a compact JWS of 412 bytes. Equal values of one recording have equal marks; the key is made for
/// the recording and kept nowhere, so that a mark cannot be compared with guesses.
struct RecordingMarks: Sendable {
    private static let hashByteCount = 4

    private let key = SymmetricKey(size: .bits256)

    func mark(_ text: some StringProtocol) -> String { mark(Array(text.utf8)) }

    func mark(_ octets: [UInt8]) -> String {
        let hash = HMAC<SHA256>.authenticationCode(for: octets, using: key)
        return "<\(Self.kind(of: octets)) \(octets.count) #\(Hex.encode(hash.prefix(Self.hashByteCount)))>"
    }

    private static func kind(of octets: [UInt8]) -> String {
        guard let text = String(validUTF8: octets) else { return "binary" }
        if !octets.isEmpty, octets.allSatisfy(TokenShape.isDigit) { return "digits" }
        return TokenShape.joseForm(of: text) ?? "text"
    }
}
