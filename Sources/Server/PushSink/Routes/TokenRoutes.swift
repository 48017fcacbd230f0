import HTTPTypes
import Hummingbird
import Logging
import Octets
import ServerCore
import ServerHTTP
import StrictJSON

/// The token service: an assertion of the service account against an access token (RFC 7523, 2.1).
struct TokenRoutes: Sendable {
    static let path = "/token"
    private static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    let state: SinkState
    /// Known once the sink listens.
    let check: @Sendable () -> AssertionCheck?
    let clock: any WallClock
    let logger: Logger

    func add(to router: Router<BackendRequestContext>) {
        router.post(RouterPath(Self.path)) { request, _ in await answer(to: request) }
    }

    private func answer(to request: Request) async -> Response {
        guard let bytes = await request.bytes(), let check = check(),
            let form = Form(String(decoding: bytes, as: UTF8.self)), let grantType = form["grant_type"]
        else { return SinkAnswer.grantRefusal("invalid_request", "Bad Request") }
        guard grantType.hasSameOctets(as: Self.grantType) else {
            return SinkAnswer.grantRefusal("unsupported_grant_type", "Invalid grant_type")
        }
        guard let assertion = form["assertion"] else {
            return SinkAnswer.grantRefusal("invalid_request", "Missing parameter: assertion")
        }
        do throws(AssertionCheck.Refusal) {
            try check.require(assertion, now: clock.now().seconds)
        } catch {
            logger.warning("assertion refused", metadata: ["reason": "\(error.rawValue)"])
            return SinkAnswer.grantRefusal(error == .scope ? "invalid_scope" : "invalid_grant", error.rawValue)
        }
        logger.notice("access granted")
        return SinkAnswer.json([
            "access_token": .string(await state.issueAccessToken()),
            "expires_in": .integer(SinkState.tokenLifetime.components.seconds), "token_type": .string("Bearer"),
        ])
    }
}

/// Names and values of a form (`application/x-www-form-urlencoded`); each name once.
private struct Form {
    private var values: [String: String] = [:]

    init?(_ text: String) {
        for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Self.decoded(parts[0]), let value = Self.decoded(parts[1]),
                values.updateValue(value, forKey: name) == nil
            else { return nil }
        }
    }

    subscript(name: String) -> String? { values[name] }

    private static func decoded(_ text: Substring) -> String? {
        var octets: [UInt8] = []
        var rest = text.utf8[...]
        while let octet = rest.popFirst() {
            switch octet {
            case UInt8(ascii: "+"): octets.append(0x20)
            case UInt8(ascii: "%"):
                guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2
                else { return nil }
                octets.append(value)
                rest = rest.dropFirst(2)
            default: octets.append(octet)
            }
        }
        return String(validating: octets, as: UTF8.self)
    }
}
