import ArgumentParser
import BackendAPI
import CommandSupport
import OpenID
import ServerAdministration
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCommands

/// A server with the users `anna` and `bert`, who have a registered authenticator and a phone each.
struct AdministrationStage {
    let phone: SyntheticAuthenticator
    let device: SyntheticDevice
    let server: TestServer
    let anna: User
    let bert: User
    let target: String

    init() async throws {
        phone = try SyntheticAuthenticator()
        device = try SyntheticDevice()
        let other = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
        server = try await TestServer(authenticators: [phone, other])
        anna = try await server.services.users.add(name: "anna", externalID: "anna-ext")
        bert = try await server.services.users.add(name: "bert")
        try await server.register(phone, for: anna)
        try await server.register(other, for: bert)
        target = try await server.addTarget(of: anna, on: device, named: "Anna's phone")
        try await server.addTarget(of: bert, on: SyntheticDevice("org.signet.demo#2"), named: "Bert's phone")
    }

    var services: ServerServices { server.services }
    var sites: OpenIDServer {
        OpenIDServer(services, transactions: server.openID, settings: OpenIDSettings())
    }

    func connection() throws -> ServiceConnection {
        ServiceConnection(name: "the stage", service: try AdministrationService(of: sites))
    }

    /// What a short command shows, an element for each page.
    func shown<Words: OperationWords>(
        _ words: Words.Type, _ arguments: [String] = []
    ) async throws -> [CommandReport.Outcome] {
        var shown: [CommandReport.Outcome] = []
        let command = try OperationCommand<Words>.parse(arguments)
        try await command.perform(on: connection()) { shown.append($0) }
        return shown
    }

    /// What a short command that changes something shows.
    @discardableResult
    func done<Words: OperationWords>(
        _ words: Words.Type, _ arguments: [String]
    ) async throws -> CommandReport.Outcome where Words.Manner == Changing {
        try #require(try await shown(words, ["--reason", "a test"] + arguments).first)
    }

    /// The result of a command, for a program.
    static func result(_ outcome: CommandReport.Outcome) -> String { JSONWriter.text(.object(outcome.result)) }

    /// A list in the result of a command.
    static func list(_ name: String, _ outcome: CommandReport.Outcome) throws -> [JSONObject] {
        try outcome.result.required(name) { value throws(JSONTypeError) in
            try value.asArray { element throws(JSONTypeError) in try element.asObject() }
        }
    }

    /// The text of a member.
    static func text(_ name: String, _ object: JSONObject) -> String? {
        if case .string(let text)? = object[name] { text } else { nil }
    }
}
