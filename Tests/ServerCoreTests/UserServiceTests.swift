import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Administration of users")
struct UserServiceTests {
    private let server: TestServer
    private var users: UserService { server.services.users }

    init() async throws {
        server = try await TestServer(authenticators: [try SyntheticAuthenticator()])
    }

    @Test("A user is found by name and by external id, byte by byte")
    func lookup() async throws {
        let user = try await users.add(name: "caf\u{E9}", externalID: "id-1")
        #expect(try await users.user(named: "caf\u{E9}") == user)
        #expect(try await users.user(named: "id-1") == user)
        // The same letters for the eye, other bytes.
        await #expect(throws: ServerError.userUnknown) { try await users.user(named: "cafe\u{301}") }
    }

    @Test("No name of one user is a name or external id of another")
    func uniqueness() async throws {
        try await users.add(name: "jeff", externalID: "id-1")
        await #expect(throws: ServerError.userExists) { try await users.add(name: "jeff") }
        await #expect(throws: ServerError.userExists) { try await users.add(name: "id-1") }
        await #expect(throws: ServerError.userExists) { try await users.add(name: "eve", externalID: "jeff") }
        try await users.add(name: "same", externalID: "same")
    }

    @Test("Without an external id the user gets a random one")
    func randomExternalID() async throws {
        let first = try await users.add(name: "a")
        let second = try await users.add(name: "b")
        #expect(first.externalID.text.count == 22)
        #expect(first.externalID != second.externalID)
    }

    @Test(
        "Names that are empty, too long or break the rule of shown texts are refused, and external ids with them",
        arguments: ["", String(repeating: "x", count: 129), "a\nb", "a\u{0}b", "anna ", "an  na"]
            + TreacherousText.lines)
    func invalidNames(name: String) async throws {
        await #expect(throws: ServerError.invalidName) { try await users.add(name: name) }
        await #expect(throws: ServerError.invalidName) { try await users.add(name: "a", externalID: name) }
    }

    @Test(
        "SA-24: A name that people take for another one is refused, unless the operator wants it; it is found as it is")
    func alike() async throws {
        let anna = try await users.add(name: "anna")
        for name in ["Anna", "аnna", "ánna"] {
            await #expect(throws: ServerError.nameAlike("anna")) { try await users.add(name: name) }
        }
        let other = try await users.add(name: "Anna", mayBeAlike: true)
        #expect(try await users.user(named: "Anna").id == other.id)
        #expect(try await users.user(named: "anna").id == anna.id)
        try await users.remove(named: "anna")
        try await users.add(name: "anna")
    }

    @Test("A name is kept in its composed form")
    func composed() async throws {
        #expect(try await users.add(name: "zoe\u{308}").name.text.unicodeScalars.count == 3)
    }

    @Test("Passwords that are empty or too long are refused")
    func invalidPasswords() async throws {
        await #expect(throws: ServerError.invalidPassword) { try await users.add(name: "a", password: "") }
        await #expect(throws: ServerError.invalidPassword) {
            try await users.add(name: "a", password: String(repeating: "x", count: 1025))
        }
    }

    @Test("Users are listed in the order of their names, page by page")
    func list() async throws {
        for name in ["carl", "anna", "bert"] { try await users.add(name: name) }
        #expect(try await users.list(limit: 2).map(\.name.text) == ["anna", "bert"])
        #expect(try await users.list(after: try server.name("bert")).map(\.name.text) == ["carl"])
        let first = try await users.page(limit: 2)
        #expect(first.users.map(\.name.text) == ["anna", "bert"] && first.next?.text == "bert")
        let second = try await users.page(after: first.next, limit: 2)
        #expect(second.users.map(\.name.text) == ["carl"] && second.next == nil)
        #expect(try await users.page(limit: 3).next == nil, "a page that is just full is the last one")
    }

    @Test("A removed user is gone with credentials, and the name is free again")
    func removal() async throws {
        let phone = try SyntheticAuthenticator()
        let user = try await users.add(name: "jeff")
        try await server.register(phone, for: user)
        try await users.remove(named: "jeff")
        #expect(try await server.storage.credentials.credential(try #require(phone.credential)) == nil)
        await #expect(throws: ServerError.userUnknown) { try await users.remove(named: "jeff") }
        let again = try await users.add(name: "jeff")
        #expect(again.id != user.id)
        #expect(try await server.auditKinds().contains("ADMIN_USER_REMOVED"))
    }
}
