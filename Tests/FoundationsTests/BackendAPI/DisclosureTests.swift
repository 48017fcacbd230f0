import BackendAPI
import TestSupport
import Testing
import UAF

@Suite("SDK-15: messages that carry tokens and digits do not print them")
struct DisclosureTests {
    private static let canary = "canary7f3a9c51d2"

    private static func holders() throws -> [(name: String, value: Any)] {
        let content = OutOfBandContent(
            token: canary, redeemURL: "https://server.example", channelLinking: .compare(canary))
        let cookie = try SetCookie(parsing: "session=\(canary)", strictness: .grammar)
        var jar = CookieJar()
        jar.store(cookie, host: "server.example", path: "/", now: 0)
        return [
            ("a token", Token(type: .jwt, value: canary)),
            (
                "an answer with tokens",
                ServerResponse(statusCode: .ok, additionalTokens: [.init(type: .jwt, value: canary)])
            ),
            ("a created token", CreatedToken(token: canary, sessionID: "session")),
            (
                "a dispatch",
                DispatchAnswer(
                    token: canary, sessionID: "session",
                    dispatcherInformation: DispatcherInformation(name: .link, response: "signet://open?\(canary)"),
                    channelLinking: ShownChannelLinking(mode: .typed, digits: canary))
            ),
            ("a drawn code", DispatcherInformation(name: .pngQRCode, response: canary, codeText: canary)),
            ("a redemption", RedeemRequest(token: canary)), ("a payload", content),
            ("an envelope", OutOfBandEnvelope(.plain(content))),
            ("a sealed envelope", OutOfBandEnvelope(.encrypted(canary))),
            ("a push destination", PushDestination(canary) as Any),
            ("typed digits", ResponseContext(linkingDigits: canary)),
            ("a cookie", cookie), ("a jar", jar),
        ]
    }

    @Test("Nothing that prints a value shows a token, a link, a push token, digits or a cookie")
    func printing() throws {
        for (name, value) in try Self.holders() {
            #expect(!Disclosure.shows(Self.canary, in: value), "\(name) shows its secret")
        }
    }

    @Test("What is printed still says which of the two a push destination and an envelope are")
    func remainder() throws {
        #expect("\(try #require(PushDestination("user-disabled")))" == "disabledByUser")
        #expect("\(try #require(PushDestination(Self.canary)))" == "token")
        #expect("\(OutOfBandEnvelope.Content.encrypted(Self.canary))" == "encrypted")
        #expect("\(CreatedToken(token: Self.canary, sessionID: "session"))".contains("session"))
    }
}
