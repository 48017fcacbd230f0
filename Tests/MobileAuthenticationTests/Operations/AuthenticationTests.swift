import BackendAPI
import BackendTransport
import Foundation
import MobileAuthenticationTestKit
import Testing
import UAF

@testable import MobileAuthentication

@Suite("Authentication against a server")
struct AuthenticationTests {
    private static let response = "/uaf/1.1/authentication/"

    private func registeredPhone() async throws -> TestPhone {
        let phone = try await TestPhone()
        try await phone.register()
        return phone
    }

    @Test("The token of the server is returned before its cookies")
    func token() async throws {
        let phone = try await registeredPhone()
        phone.backend.script {
            $0.tokens = [Token(type: .jwt, value: "x.y.z")]
            $0.cookies = ["session=1; Path=/; Secure"]
        }
        #expect((try await phone.authenticate() as? JwtAuthorizationProvider)?.jwt == "x.y.z")
    }

    @Test("Cookies of the final answer are returned")
    func cookies() async throws {
        let phone = try await registeredPhone()
        phone.backend.script { $0.cookies = ["session=1; Path=/; Secure; HttpOnly"] }
        let provider = try await phone.authenticate() as? CookieAuthorizationProvider
        #expect(provider?.cookies.map(\.name) == ["session"])
    }

    @Test("Nothing issued is nothing returned, and nothing of one operation reaches the next")
    func nothing() async throws {
        let phone = try await registeredPhone()
        phone.backend.script { $0.cookies = ["session=1; Path=/"] }
        _ = try await phone.authenticate()
        phone.backend.script { $0.cookies = [] }
        #expect(try await phone.authenticate() == nil)
        #expect(phone.backend.requests.allSatisfy { $0.headers.first("Cookie") == nil })
    }

    @Test("A wrong PIN is asked for again with the tries left, and the right one then signs")
    func wrongPin() async throws {
        let phone = try await registeredPhone()
        let person = await TestUser(pins: ["111222", "482915"])
        _ = try await phone.client.operations.authentication.username("jeff")
            .authenticatorSelector(person).pinUserVerifier(person).perform()
        #expect(
            await person.statuses == [
                .Unlocked, .LastAttemptFailed(remainingTries: 4, coolDownTimeInSeconds: 0),
            ])
        #expect(await person.acceptances == 1)
    }

    @Test("During a cool-down the right PIN is not looked at either")
    func coolDown() async throws {
        let phone = try await registeredPhone()
        let person = await TestUser(pins: ["111222", "111223", "111224", "482915"])
        let error = await #expect(throws: AuthenticationError.self) {
            try await phone.client.operations.authentication.username("jeff")
                .authenticatorSelector(person).pinUserVerifier(person).perform()
        }
        #expect(error?.isUserCancellation == true)
        guard case .LastAttemptFailed(2, let seconds) = try #require(await person.statuses.last) else {
            Issue.record("the status is no cool-down")
            return
        }
        #expect((1...60).contains(seconds))
    }

    @Test("Status 1481 leaves a registration that is marked as unusable")
    func unknownKey() async throws {
        let phone = try await registeredPhone()
        phone.backend.script { $0.faults[Self.response] = .uafStatus(.unknownKeyID) }
        let error = await #expect(throws: AuthenticationError.self) { try await phone.authenticate() }
        #expect((error?.cause as? ServerStatus)?.code == 1481)
        let authenticator = try #require(phone.client.localData.authenticators.first)
        #expect(authenticator.registration.isRegistered("jeff"))
        #expect(!authenticator.registration.isUsable("jeff"))
        let next = await #expect(throws: AuthenticationError.self) { try await phone.authenticate() }
        #expect(next?.fidoErrorCode == .keyDisappearedPermanently)
    }

    @Test("After status 1481 only that key is unusable, and deleting it here and registering again helps")
    func recoveryFromUnknownKey() async throws {
        let phone = try await TestPhone()
        try await phone.register("anna")
        try await phone.register("jeff")
        phone.backend.script { $0.faults[Self.response] = .uafStatus(.unknownKeyID) }
        let error = await #expect(throws: AuthenticationError.self) { try await phone.authenticate() }
        #expect(error?.recoverySuggestion != nil)
        let registration = try phone.authenticator(.Pin).registration
        #expect(registration.isUsable("anna") && !registration.isUsable("jeff"))
        phone.backend.script { state in
            state.faults = [:]
            state.keys.removeAll { state.owners[$0] == "jeff" }
        }
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
        try await phone.register("jeff")
        _ = try await phone.authenticate("jeff")
        _ = try await phone.authenticate("anna")
    }

    @Test("A user without registration ends without a request")
    func absent() async throws {
        let phone = try await TestPhone()
        let error = await #expect(throws: AuthenticationError.self) { try await phone.authenticate() }
        #expect(error?.fidoErrorCode == .noSuitableAuthenticator)
        #expect(phone.backend.requests.isEmpty)
    }

    @Test("A failed operation carries the session that the server had opened")
    func session() async throws {
        let phone = try await registeredPhone()
        let given = JwtSessionProvider("a.b.c")
        phone.backend.script { $0.faults[Self.response] = .uafStatus(.unacceptableContent) }
        let person = await TestUser(pins: ["482915"])
        let error = await #expect(throws: AuthenticationError.self) {
            try await phone.client.operations.authentication.username("jeff").sessionProvider(given)
                .authenticatorSelector(person).pinUserVerifier(person).perform()
        }
        #expect(error?.sessionProvider as? JwtSessionProvider == given)
        #expect(phone.backend.requests(to: Self.response).first?.headers.first("Authorization") == "Bearer a.b.c")
    }

    @Test("A request whose time has passed is not shown to the user any more")
    func expiredRequest() async throws {
        let phone = try await registeredPhone()
        phone.backend.script { $0.lifetimeMillis = 1000 }
        let person = await TestUser(pins: ["482915"])
        await MainActor.run { person.interruption = { phone.clock.jump(by: .seconds(2)) } }
        let error = await #expect(throws: AuthenticationError.self) {
            try await phone.client.operations.authentication.username("jeff")
                .authenticatorSelector(person).pinUserVerifier(person).perform()
        }
        #expect(error?.fidoErrorCode == .userNotResponsive)
        #expect(await person.statuses.isEmpty)
    }

    @Test("Two operations at once pass one after the other")
    func queue() async throws {
        let phone = try await registeredPhone()
        async let first = phone.authenticate()
        async let second = phone.authenticate()
        _ = try await (first, second)
        #expect(phone.backend.requests(to: Self.response).count == 2)
    }

    @Test("The list of facets is fetched once and used again while it is fresh")
    func facetCache() async throws {
        let phone = try await registeredPhone()
        _ = try await phone.authenticate()
        #expect(phone.backend.requests(to: "/uaf/1.1/facets").count == 1)
        phone.clock.jump(by: .seconds(61))
        _ = try await phone.authenticate()
        #expect(phone.backend.requests(to: "/uaf/1.1/facets").count == 2)
    }

    @Test("A cached list that does not name the application is fetched anew once")
    func facetRefetch() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.facets = ["ios:bundle-id:com.example.other"] }
        _ = await #expect(throws: OperationError.self) { try await phone.register() }
        #expect(phone.backend.requests(to: "/uaf/1.1/facets").count == 1)
        phone.backend.script { $0.facets = ["ios:bundle-id:com.example.app"] }
        try await phone.register()
        #expect(phone.backend.requests(to: "/uaf/1.1/facets").count == 2)
    }

    @Test("A longer text than the protocol allows is shown and signed")
    func longTransaction() async throws {
        let phone = try await registeredPhone()
        let text = [UInt8](repeating: 0x61, count: 1000)
        phone.backend.script { $0.transactions = [Transaction(contentType: .plainText, content: text)] }
        let person = await TestUser(pins: ["482915"])
        _ = try await phone.client.operations.authentication.username("jeff")
            .authenticatorSelector(person).pinUserVerifier(person).perform()
        #expect(await person.selections.first?.transactionConfirmationData == Data(text))
    }
}
