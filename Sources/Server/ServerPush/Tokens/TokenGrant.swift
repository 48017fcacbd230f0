import Octets
import ServerCore
import StrictJSON

/// Exchanges an assertion of the service account for an access token (RFC 7523, 2.1).
struct TokenGrant: Sendable {
    let account: ServiceAccount
    let clock: any WallClock
    let transport: PushTransport

    func answer(within time: Duration) async -> Result<TokenAnswer, PushTransportError> {
        guard let assertion = account.assertion(now: clock.now().seconds) else { return .success(.refused) }
        // The characters of a compact JWS need no escape in a form.
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
        let request = PushRequest(
            url: account.tokenAddress.text, contentType: "application/x-www-form-urlencoded", authorization: nil,
            body: Sensitive(Array(form.utf8)))
        do throws(PushTransportError) {
            return .success(TokenAnswer(try await transport.response(to: request, within: time)))
        } catch {
            return .failure(error)
        }
    }
}

/// Response of the token service to an assertion (RFC 6749, 5.1 and 5.2).
enum TokenAnswer: Sendable {
    case granted(bearer: Sensitive<String>, lifetime: Duration)
    /// The account is unknown, switched off, or its key is not the one they know.
    case refused
    /// The service is overloaded or broken; another try may succeed.
    case busy(retryAfter: String?)
    /// The response does not come from a token service.
    case unintelligible

    init(_ response: PushResponse) {
        switch response.status {
        case 200: self = Self.grant(response.body) ?? .unintelligible
        case _ where response.isTemporary: self = .busy(retryAfter: response.retryAfter)
        case 400...499: self = .refused
        default: self = .unintelligible
        }
    }

    private static func grant(_ body: [UInt8]) -> TokenAnswer? {
        guard let members = try? JSONParser.parse(body, limits: JSONLimits(byteCount: 64 * 1024, depth: 4)).asObject(),
            let type = try? members.string("token_type"), type.lowercased().hasSameOctets(as: "bearer"),
            let bearer = try? members.string("access_token"), (1...8_192).contains(bearer.utf8.count),
            bearer.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let seconds: Int = try? members.integer("expires_in"), (1...86_400).contains(seconds)
        else { return nil }
        return .granted(bearer: Sensitive(bearer), lifetime: .seconds(seconds))
    }
}
