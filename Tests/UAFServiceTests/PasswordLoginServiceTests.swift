import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Password login")
struct PasswordLoginServiceTests {
    private let server: TestServer
    private let login: PasswordLoginService

    init() async throws {
        server = try await TestServer(authenticators: [try SyntheticAuthenticator()]) {
            var settings = PasswordLoginSettings()
            settings.cost = .cheapest
            $0.passwordLogin = settings
        }
        login = try #require(server.services.passwordLogin)
        _ = try await server.services.users.add(name: "jeff", externalID: "jeff-ext", password: "correct horse")
    }

    private func attempt(_ name: String, _ password: String, from address: String = "192.0.2.1") async -> ServerError? {
        do throws(ServerError) {
            _ = try await login.logIn(name: name, password: password, client: ClientContext(address: address))
            return nil
        } catch {
            return error
        }
    }

    @Test("The right password yields the external id and a session that says how the user logged in")
    func success() async throws {
        let result = try await login.logIn(name: "jeff", password: "correct horse", client: ClientContext())
        #expect(result.externalID.text == "jeff-ext")
        #expect(try await server.services.sessions.grant(forCookie: result.cookie.value)?.methods == [.password])
        server.clock.advance(by: .seconds(900))
        #expect(try await server.services.sessions.grant(forCookie: result.cookie.value) == nil)
    }

    @Test("A wrong password, an unknown name, a user without a password and a locked user look the same")
    func failures() async throws {
        _ = try await server.services.users.add(name: "anna")
        #expect(await attempt("jeff", "wrong") == .unauthorized)
        #expect(await attempt("absent", "wrong") == .unauthorized)
        #expect(await attempt("anna", "wrong") == .unauthorized)
        #expect(await attempt("jeff", "") == .unauthorized)
        #expect(await attempt("jeff", String(repeating: "x", count: 1025)) == .unauthorized)
        try await server.services.users.lock(named: "jeff")
        #expect(await attempt("jeff", "correct horse") == .unauthorized)
    }

    @Test("Of two hundred wrong tries at the same time five are heard (SRV-3)")
    func parallelGuesses() async throws {
        let heard = await withTaskGroup(of: ServerError?.self) { group in
            for _ in 0..<200 { group.addTask { await attempt("jeff", "wrong") } }
            return await group.reduce(0) { $0 + ($1 == .unauthorized ? 1 : 0) }
        }
        #expect(heard == 5)
        #expect(await attempt("jeff", "correct horse") == .throttled(retryAfter: .seconds(300)))
        server.clock.advance(by: .seconds(300))
        #expect(await attempt("jeff", "correct horse") == nil)
    }

    @Test("A stranger's failures do not lock the owner out at once (SRV-5)")
    func otherAddress() async throws {
        for _ in 0..<10 { _ = await attempt("jeff", "wrong", from: "198.51.100.7") }
        #expect(await attempt("jeff", "correct horse", from: "192.0.2.1") == nil)
    }

    @Test("SA-17: Wrong passwords from many networks keep their user from logging in neither at home nor elsewhere")
    func distributedGuesses() async throws {
        #expect(await attempt("jeff", "correct horse", from: "192.0.2.1") == nil)
        for number in 0..<60 {
            #expect(await attempt("jeff", "wrong", from: "2001:db8:0:\(number)::1") == .unauthorized)
        }
        #expect(await attempt("jeff", "correct horse", from: "192.0.2.1") == nil)
        #expect(await attempt("jeff", "correct horse", from: "192.0.2.9") == nil)
    }

    @Test("Wrong passwords of neighbours keep no user from logging in in a browser where they have done so (SRV-5)")
    func neighbours() async throws {
        let first = try await login.logIn(
            name: "jeff", password: "correct horse", client: ClientContext(address: "192.0.2.1"))
        for number in 0..<110 {
            _ = await attempt("jeff", "wrong")
            _ = await attempt("user\(number)", "wrong")
        }
        #expect(await attempt("jeff", "correct horse") == .throttled(retryAfter: .seconds(300)))
        func attempts(_ name: String, _ password: String) async -> ServerError? {
            var client = ClientContext(address: "192.0.2.1")
            client.knownBrowser = first.known?.value
            do throws(ServerError) {
                let login = try await login.logIn(name: name, password: password, client: client)
                return login.known == nil ? nil : .forbidden
            } catch {
                return error
            }
        }
        for _ in 0..<100 { #expect(await attempts("jeff", "correct horse") == nil) }
        // The cookie helps at this name only, and allows as many wrong tries as an address has.
        #expect(await attempts("anna", "wrong") == .throttled(retryAfter: .seconds(300)))
        for _ in 0..<5 { #expect(await attempts("jeff", "wrong") == .unauthorized) }
        #expect(await attempts("jeff", "correct horse") == .throttled(retryAfter: .seconds(300)))
    }

    @Test("Twenty good logins at the same time all succeed (SRV-6)")
    func parallelLogins() async throws {
        let failures = await withTaskGroup(of: ServerError?.self) { group in
            for _ in 0..<20 { group.addTask { await attempt("jeff", "correct horse") } }
            return await group.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
        }
        #expect(failures == 0)
    }

    @Test("A replaced password is the only one that counts")
    func replacedPassword() async throws {
        try await server.services.users.setPassword("other", named: "jeff")
        #expect(await attempt("jeff", "correct horse") == .unauthorized)
        #expect(await attempt("jeff", "other") == nil)
    }

    @Test("Without settings the service does not exist")
    func absent() async throws {
        let plain = try await TestServer(authenticators: [try SyntheticAuthenticator()])
        #expect(plain.services.passwordLogin == nil)
    }

    @Test("Production takes no cost below 2^14", arguments: [1 << 13, 1 << 14, (1 << 14) + 1, 1 << 20, 1 << 21])
    func cost(rounds: Int) {
        #expect((PasswordHashCost(rounds: rounds) != nil) == [1 << 14, 1 << 20].contains(rounds))
    }

    @Test(
        "A stored cost that scrypt cannot work with is refused, before it is worked with",
        arguments: [Int.min, -16, 0, 1, 2, 3, 16, 1 << 20, 1 << 21, 1 << 62, Int.max])
    func storedCost(rounds: Int) {
        #expect((PasswordHashCost(stored: rounds) != nil) == [2, 16, 1 << 20].contains(rounds))
    }

    @Test("A password row that was changed from outside is no answer of the storage, and ends no process")
    func damagedCost() async throws {
        try await server.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("UPDATE user_passwords SET rounds = 9223372036854775807", [])
        }
        #expect(await attempt("jeff", "correct horse") == .storageUnavailable)
    }
}
