import BackendAPI
import Foundation
import MobileAuthenticationTestKit
import Octets
import TestSupport
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("SDK-15: what the SDK holds of sessions, links, push tokens and digits is not printed")
struct DisclosureTests {
    private static let canary = "canary7f3a9c51d2"

    private static func cookie() throws -> HTTPCookie {
        try #require(
            HTTPCookie(properties: [.name: "session", .value: canary, .domain: "server.example", .path: "/"]))
    }

    @Test("Sessions of every kind, inside and outside of an operation")
    func sessions() throws {
        let cookie = try Self.cookie()
        let jwt: any AuthorizationProvider = JwtAuthorizationProvider(Self.canary)
        let cookies: any AuthorizationProvider = CookieAuthorizationProvider([cookie])
        let held = try [jwt, cookies].map { try SessionCredentials($0) }
        let values: [Any] = [
            jwt, cookies, JwtSessionProvider(Self.canary), CookieSessionProvider([cookie]), CookieRecord(cookie),
            held[0], held[1], SessionRecord(held[1], now: 0),
        ]
        for value in values { #expect(!Disclosure.shows(Self.canary, in: value), "\(type(of: value))") }
        #expect(held[0].token?.reveal() == Self.canary && held[1].cookies.first?.cookie.value == Self.canary)
    }

    @Test("Push token, invitation, digits, the body of an unexpected answer, requests of the test kit and orders")
    func others() throws {
        let demand = LinkingDemand(digitCount: 2, shownDigits: Self.canary)
        let state = ChannelLinkingState(
            username: "anna", mode: .compare, digitCount: 2, digits: Self.canary, transactionConfirmationData: nil,
            lastRecoverableError: nil)
        var invitation = CloudInvitation()
        (invitation.enrollResponse, invitation.appLinkUri) = (Sensitive(Self.canary), Sensitive(Self.canary))
        let content = OutOfBandContent(token: Self.canary, redeemURL: "https://server.example")
        let values: [Any] = [
            DeviceInformation(name: "phone", fcmRegistrationToken: Self.canary), demand, state, invitation,
            OutOfBandPayload(OutOfBandEnvelope(.plain(content))),
            HTTPStatusError(statusCode: 500, body: Array(Self.canary.utf8)),
            TestRequest(
                method: "POST", url: "https://server.example/\(Self.canary)",
                headers: [.init("Authorization", Self.canary)], body: Array(Self.canary.utf8)),
            TestRequest.Header("Authorization", Self.canary),
        ]
        for value in values { #expect(!Disclosure.shows(Self.canary, in: value), "\(type(of: value))") }
        #expect("\(DeviceInformation(name: "phone"))".contains("phone"))
        #expect("\(HTTPStatusError(statusCode: 500, body: []))".contains("500"))
    }
}
