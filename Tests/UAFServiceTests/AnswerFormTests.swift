import BackendAPI
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Answers: what is judged before anything is looked up or consumed")
struct AnswerFormTests {
    private let phone: SyntheticAuthenticator
    private let server: TestServer
    private let user: User

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone])
        user = try await server.services.users.add(name: "jeff")
    }

    @Test("S-L4: More assertions than are judged are counted before anything is looked up, in both services")
    func assertionCount() async throws {
        let many = [SyntheticAuthenticator](repeating: phone, count: 17)
        let registration = try await server.registrationRequest(for: user)
        let tooMany = try server.client.answer(registration, with: many)
        let good = try server.client.answer(registration, with: [phone])
        server.database.set { $0.failsReads = true }
        #expect(await server.answerRegistration(tooMany) == .unacceptableContent)
        await #expect(throws: ServerError.storageUnavailable, "this one is looked up") {
            try await server.services.registrationResponses.acceptResponse(
                SendUAFResponse(uafResponse: String(decoding: good, as: UTF8.self)), client: ClientContext())
        }
        server.database.set { $0.failsReads = false }
        #expect(await server.answerRegistration(good) == .ok)
        let request = try await server.authenticationRequest(for: "jeff")
        let signed = try server.client.answer(request, with: many)
        server.database.set { $0.failsReads = true }
        #expect(await server.answerAuthentication(signed).message.statusCode == .unacceptableContent)
        server.database.set { $0.failsReads = false }
        let sixteen = try server.client.answer(request, with: Array(many.prefix(16)))
        #expect(await server.answerAuthentication(sixteen).message.statusCode == .ok)
    }

    /// An answer whose header was changed.
    private func answer(
        _ request: AuthenticationRequest, _ change: @escaping (inout [String: JSONValue]) -> Void
    ) throws -> [UInt8] {
        let fault = SyntheticClient.MessageFault(message: { message in
            var members: [String: JSONValue] = [:]
            for member in (try? message["header"]?.asObject().members) ?? [] { members[member.name] = member.value }
            change(&members)
            var header: JSONObject = [:]
            for name in members.keys.sorted() { header.append(name, members[name]) }
            var changed: JSONObject = [:]
            for member in message.members {
                changed.append(member.name, member.name == "header" ? .object(header) : member.value)
            }
            message = changed
        })
        return try server.client.answer(request, with: [phone], in: fault)
    }

    @Test("O-J4: The header of an answer names the application of the request; nothing is consumed by a refusal")
    func header() async throws {
        try await server.register(phone, for: user)
        let request = try await server.authenticationRequest(for: "jeff")
        let changes: [(inout [String: JSONValue]) -> Void] = [
            { $0["appID"] = nil }, { $0["appID"] = .string("") },
            { $0["appID"] = .string("https://other.example.com/facets") },
            { $0["appID"] = .string(TestServer.appID.uppercased()) }, { $0["exts"] = .array([]) },
        ]
        for change in changes {
            let refused = await server.answerAuthentication(try answer(request, change))
            #expect(refused.message.statusCode == .unacceptableContent)
        }
        #expect(await server.answerAuthentication(try answer(request) { _ in }).message.statusCode == .ok)
    }

    @Test("O-J4: The header of a registration and of a report are compared, too")
    func otherAnswers() async throws {
        let request = try await server.registrationRequest(for: user)
        let fault = SyntheticClient.MessageFault(message: { message in
            let text = String(decoding: JSONWriter.write(.object(message)), as: UTF8.self)
            let other = text.replacing(TestServer.appID, with: "https://other.example.com/facets")
            if let changed = try? JSONParser.parse(other).asObject() { message = changed }
        })
        for authenticators in [[phone], []] {
            let body = SendUAFResponse(
                uafResponse: String(
                    decoding: try server.client.answer(request, with: authenticators, in: fault), as: UTF8.self),
                context: authenticators.isEmpty ? ResponseContext(clientErrorCode: .userCancelled) : nil)
            let answer = try await server.services.registrationResponses.acceptResponse(body, client: ClientContext())
            #expect(answer.message.statusCode == .unacceptableContent)
        }
        #expect(await server.answerRegistration(try server.client.answer(request, with: [phone])) == .ok)
    }
}
