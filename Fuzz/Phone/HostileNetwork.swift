import BackendAPI
import MobileAuthenticationTestKit
import Synchronization

/// HTTP transport of a phone with an honest server, and with a hostile one whose responses are chosen by the input.
final class HostileNetwork: TestTransport {
    static let honest = SoundBodies(address: "https://honest.example/nevisfido")
    static let hostile = SoundBodies(address: "https://hostile.example/nevisfido")

    private let choices: HostileChoices
    private let taken = Mutex(0)

    init(_ choices: HostileChoices) {
        self.choices = choices
    }

    /// Number of UAF responses that the honest server has received.
    var honestResponses: Int { taken.withLock { $0 } }

    func answer(to request: TestRequest) async throws -> TestResponse {
        let honest = Self.honest.address
        guard !request.url.hasPrefix(honest) else {
            let path = String(request.url.dropFirst(honest.count))
            // Codes that the hostile server has made up name tokens that the honest server does not know.
            guard !path.hasPrefix("/token/") else { return TestResponse(status: 404) }
            if ["/uaf/1.1/registration/", "/uaf/1.1/authentication/"].contains(path) { taken.withLock { $0 += 1 } }
            return TestResponse(
                status: 200, headers: [Self.type(of: path)], body: Self.honest.body(at: path, username: "keeper"))
        }
        return try hostileAnswer(to: request)
    }

    private func hostileAnswer(to request: TestRequest) throws -> TestResponse {
        let path = String(request.url.dropFirst(Self.hostile.address.count))
        let manner = choices.octet()
        if manner == 255 { throw TestNetworkError.timedOut }
        if manner == 254 { throw TestNetworkError.noConnection }
        var headers = [Self.type(of: path)]
        if manner & 1 != 0 { headers = choices.pick(Self.headers) ?? [] }
        if manner & 2 != 0 { headers.append(TestRequest.Header("Set-Cookie", choices.text())) }
        if manner & 4 != 0 { headers.append(TestRequest.Header(choices.text(), choices.text())) }
        let status = manner & 8 == 0 ? 200 : (choices.pick(Self.statuses) ?? Int(choices.octet()) * 4)
        return TestResponse(status: status, headers: headers, body: body(at: path, manner))
    }

    private func body(at path: String, _ manner: UInt8) -> [UInt8] {
        var body = Self.hostile.body(at: path, username: "anna")
        // Misplaced bodies, including those that name the AppID of the other server.
        if manner & 16 != 0 { body = choices.pick(Self.hostile.all + Self.honest.all) ?? [] }
        if manner & 32 != 0 { body = choices.octets() }
        if manner & 64 != 0 {
            for _ in 0..<(choices.octet() % 8) where !body.isEmpty {
                let place = (Int(choices.octet()) << 8 | Int(choices.octet())) % body.count
                switch choices.octet() % 3 {
                case 0: body[place] = choices.octet()
                case 1: body.removeSubrange(place..<min(place + Int(choices.octet()), body.count))
                default: body.insert(contentsOf: choices.octets(), at: place)
                }
            }
        }
        return body
    }

    private static func type(of path: String) -> TestRequest.Header {
        TestRequest.Header(
            "Content-Type",
            path.hasPrefix("/uaf/1.1/facets")
                ? "application/fido.trusted-apps+json" : "application/fido+uaf;charset=UTF-8")
    }

    private static let statuses: [Int] = [
        200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415,
        418,
        422, 426, 429, 500, 501, 502, 503, 504, 599, 100, 0, -1, 999, .max, .min,
    ]

    private static let headers: [[TestRequest.Header]] = [
        [], [.init("Content-Type", "application/json")], [.init("Content-Type", "")],
        [.init("content-type", "application/fido+uaf"), .init("Content-Type", "text/html")],
        [.init("Location", "https://honest.example/nevisfido/uaf/1.1/facets")], [.init("Location", "//")],
        [.init("Retry-After", "99999999999999999999")], [.init("Retry-After", "-1")],
        [.init("Retry-After", "Wed, 09 Jun 2027 10:18:14 GMT")], [.init("Date", "Thu, 01 Jan 1970 00:00:00 GMT")],
        [.init("Date", "Fri, 31 Dec 9999 23:59:59 GMT")], [.init("Cache-Control", "max-age=99999999999999999999")],
        [.init("Set-Cookie", "s=1; Domain=honest.example; Max-Age=9223372036854775807")],
        [.init("Set-Cookie", "s=; Max-Age=-9223372036854775808; Path=;;")], [.init("WWW-Authenticate", "Bearer")],
    ]
}
