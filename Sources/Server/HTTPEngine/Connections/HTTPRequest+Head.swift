import HTTPTypes
import NIOHTTP1

extension HTTPRequest {
    /// The request with this head; nil for a method that is no token.
    ///
    /// Of a target in absolute form only path and query count (RFC 9112, 3.2.2). The first `Host` is the authority; a
    /// field whose name is none is left out.
    init?(_ head: HTTPRequestHead) {
        guard let method = Method(rawValue: head.method.rawValue) else { return nil }
        var fields = HTTPFields()
        fields.reserveCapacity(head.headers.count)
        var authority: String?
        for field in head.headers {
            if authority == nil, field.name.isHost {
                authority = field.value
            } else if let name = HTTPField.Name(field.name) {
                fields.append(HTTPField(name: name, value: field.value))
            }
        }
        self.init(
            method: method, scheme: "http", authority: authority, path: Self.path(of: head.uri), headerFields: fields)
    }

    /// Path and query of a target; one that begins with neither a path nor a scheme stays as it is.
    private static func path(of target: String) -> String {
        if target.utf8.first == UInt8(ascii: "/") { return target }
        guard let scheme = target.firstRange(of: "://"), scheme.lowerBound != target.startIndex,
            target[..<scheme.lowerBound].utf8.allSatisfy(isSchemeOctet)
        else { return target }
        let rest = target[scheme.upperBound...]
        guard let start = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        return rest[start] == "/" ? String(rest[start...]) : "/" + rest[start...]
    }

    private static func isSchemeOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension String {
    fileprivate var isHost: Bool { utf8.count == 4 && lowercased() == "host" }
}
