import CommandSupport
import DemoCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Deregistration by each authorization provider, against real servers", .serialized)
struct DeregistrationProviderTests {
    enum Provider: CaseIterable {
        case cookie, jwt, jws, empty, none
    }

    /// Registration of a phone that deregisters.
    private struct Example {
        let user: String
        let isOutOfBand: Bool
        let hasOtherServer: Bool
    }

    private static let examples = [
        Example(user: "anna", isOutOfBand: false, hasOtherServer: false),
        Example(user: "ben", isOutOfBand: true, hasOtherServer: false),
        Example(user: "cleo", isOutOfBand: false, hasOtherServer: true),
        Example(user: "dora", isOutOfBand: true, hasOtherServer: true),
    ]
    private static let links = #"fido-uaf: {dispatchers: [{type: link, base-url: "signet://open"}]}"# + "\n"

    @Test(
        "G-2, G-14: a key that was registered with a cookie or out of band goes at its server and here, and no other key",
        arguments: Provider.allCases)
    func removal(by provider: Provider) async throws {
        let others = Self.examples.map { "\($0.user)-elsewhere" }
        let (own, other) = (
            try await AttackStage(users: Self.examples.map(\.user), settings: Self.links),
            try await AttackStage(users: others)
        )
        defer {
            own.end()
            other.end()
        }
        for (example, neighbour) in zip(Self.examples, others) {
            let phone = try await own.phone(trusting: [other])
            // The device signs the time: its clock, which stands still at the beginning of 2026, is set.
            phone.phone.clock.advance(by: .seconds(Date().timeIntervalSince1970 - 1_767_225_600))
            if example.hasOtherServer { try await phone.register(neighbour, at: try other.address) }
            try await register(example, on: phone, at: own)
            let (token, cookie) = try await signIn(example.user, on: phone)
            let operation = phone.phone.client.operations.deregistration.username(example.user)
            switch provider {
            case .cookie: operation.authorizationProvider(try self.provider(cookie, at: own))
            case .jwt: operation.authorizationProvider(try #require(token))
            case .jws: operation.authorizationProvider(JwsAuthorizationProvider())
            case .empty: operation.authorizationProvider(EmptyAuthorizationProvider())
            case .none: break
            }
            try await operation.perform()
            let left = phone.phone.client.localData.accounts.map(\.username)
            #expect(left == (example.hasOtherServer ? [neighbour] : []), "\(example)")
            #expect(try await keyCount(of: example.user, at: own) == 0, "\(example)")
            if example.hasOtherServer { try await phone.authenticate(neighbour) }
        }
    }

    private func register(_ example: Example, on phone: AttackedPhone, at stage: AttackStage) async throws {
        let operations = phone.phone.client.operations
        let information = DeviceInformation(name: "phone of \(example.user)")
        guard example.isOutOfBand else {
            let login = try await RemovalClient(to: stage.installation.server)
                .logIn(example.user, password: Installation.password)
            return try await operations.registration.username(example.user).deviceInformation(information)
                .authorizationProvider(try provider(login, at: stage)).authenticatorSelector(phone.user)
                .pinEnroller(phone.user).perform()
        }
        let server = stage.installation.server
        let invitation = try await server.administer(
            "dispatch register", ["--reason", "a test", "--user", example.user, "--dispatcher", "link"])
        let link = try #require(invitation.result.text("link"), "\(invitation.message)")
        let text = try #require(link.split(separator: "dispatchTokenResponse=").last)
        let payload = try operations.outOfBandPayloadDecode.base64UrlEncoded(String(text)).perform()
        guard case .registration(let registration) = try await operations.outOfBandOperation.payload(payload).perform()
        else {
            Issue.record("the link began no registration")
            return
        }
        try await registration.deviceInformation(information).authenticatorSelector(phone.user)
            .pinEnroller(phone.user).perform()
    }

    /// Both logins of a sign-in: what the SDK hands out, and the cookie beside it.
    private func signIn(
        _ user: String, on phone: AttackedPhone
    ) async throws -> (token: (any AuthorizationProvider)?, cookie: String) {
        let cookies = Mutex<[String]>([])
        phone.middleman.begin { request, way in
            let response = try await way(request)
            let set = response.headers.filter { $0.name.lowercased() == "set-cookie" }.map(\.value)
            cookies.withLock { $0 += set }
            return response
        }
        defer { phone.middleman.end() }
        let token = try await phone.authenticate(user)
        let cookie = try #require(cookies.withLock { $0.first { $0.hasPrefix("__Host-signet=") } })
        return (token, String(cookie.prefix { $0 != ";" }))
    }

    private func provider(_ cookie: String, at stage: AttackStage) throws -> CookieAuthorizationProvider {
        let parts = cookie.split(separator: "=", maxSplits: 1).map(String.init)
        let cookie = HTTPCookie(properties: [
            .name: parts[0], .value: parts[1], .domain: try #require(stage.address.host()), .path: "/", .secure: "TRUE",
        ])
        return CookieAuthorizationProvider([try #require(cookie)])
    }

    private func keyCount(of user: String, at stage: AttackStage) async throws -> Int {
        let outcome = try await stage.installation.server.administer("credentials list", ["--user", user])
        #expect(outcome.isDone, "\(outcome.message)")
        return outcome.result.objects("credentials").count
    }
}
