import BackendAPI
import Octets
import TestSupport
import Testing
import UAF

@testable import ServerCore
@testable import UAFService

@Suite("SDK-15: what the server holds of tokens, cookies, digits and passwords is not printed")
struct DisclosureTests {
    private static let canary = "canary-7f3a9c51d2"

    @Test("Session cookie, redeem token and digits do not show what was drawn")
    func drawn() throws {
        let random = SystemRandomSource()
        let cookie = SessionCookie(at: Timestamp(seconds: 1), from: random, expiresAt: nil)
        let token = RedeemableToken(from: random)
        let digits = try #require(LinkingDigits(.typed, count: 8, from: random))
        #expect(!Disclosure.shows(cookie.value, in: cookie) && !cookie.value.isEmpty)
        #expect(!Disclosure.shows(token.text, in: token) && !token.text.isEmpty)
        #expect(!Disclosure.shows(digits.text.reveal(), in: digits) && digits.text.reveal().utf8.count == 8)
    }

    @Test("The cookie of a client, typed digits, an envelope and the login of a proxy show nothing either")
    func carried() {
        var ending = OperationEnding(id: CeremonyID(from: SystemRandomSource()), operation: .authentication)
        ending.digits = Self.canary
        let envelope = DispatchPayload.Envelope(
            content: Self.canary, contentType: "application/jose", version: "1", text: Self.canary)
        let login = PushProxy.Login(user: "signet", password: Self.canary)
        let values: [Any] = [
            ending, envelope, login, PushProxy(host: "proxy", port: 1, login: login),
            ClientContext(address: "192.0.2.1", bindingCookie: Sensitive(Self.canary)),
        ]
        for value in values { #expect(!Disclosure.shows(Self.canary, in: value)) }
        #expect("\(login)".contains("signet"))
    }
}
