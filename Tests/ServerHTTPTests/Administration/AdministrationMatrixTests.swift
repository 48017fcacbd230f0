import BackendAPI
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerAdministration
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

/// Each operation of the OpenAPI document, for each sender and each kind of object.
///
/// The document is read by its lines: two blanks before a path, four before a method, six before a member of the operation.
@Suite("Administration: role x route x object, by docs/operate/admin-api.yaml")
struct AdministrationMatrixTests {
    /// Operation as the document states it.
    private struct Described {
        let method: String
        let path: String
        var id = ""
        var roles: Set<String> = []
        var needsVersion = false
        /// Query parameters that have to be there, or name the user whose objects are listed.
        var asked: [String] = []
        var takes: String?
    }

    private let described: [Described]

    init() {
        let text = String(decoding: PackageResources.admin_api_yaml, as: UTF8.self)
        var (operations, path, isPaths): ([Described], Substring, Bool) = ([], "", false)
        for line in text.split(separator: "\n") {
            let indent = line.prefix { $0 == " " }.count
            let (key, value) = (line.dropFirst(indent).prefix { $0 != ":" }, line.drop { $0 != ":" }.dropFirst(2))
            if indent == 0 { isPaths = key == "paths" }
            guard isPaths else { continue }
            if indent == 2 { path = key }
            if indent == 4 { operations.append(Described(method: key.uppercased(), path: String(path))) }
            guard var last = operations.popLast() else { continue }
            if key == "operationId" { last.id = String(value) }
            if key == "x-roles" { last.roles = Set(value.split { "[], ".contains($0) }.map(String.init)) }
            if key == "x-version" { last.needsVersion = value == "true" }
            let asks = line.hasSuffix("in: query, required: true, schema: {type: string}}")
            if asks || line.contains("{name: user, in: query,") && last.id != "listAudit" {
                last.asked.append(String(line.drop { $0 != ":" }.dropFirst(2).prefix { $0 != "," }))
            }
            if indent == 10, key.contains("/") { last.takes = last.takes ?? String(key) }
            operations.append(last)
        }
        described = operations
    }

    @Test("The document has each operation of the table with its roles and needs, and no other")
    func document() {
        #expect(described.map(\.id).sorted() == AdministrationOperation.allCases.map(\.rawValue).sorted())
        for operation in AdministrationOperation.allCases {
            let known = described.first { $0.id == operation.rawValue }
            let endpoint = operation.endpoint
            #expect(known?.method == endpoint.method.rawValue && known?.path == endpoint.path, "\(operation)")
            #expect(known?.roles == Set(operation.roles.map(\.rawValue)), "\(operation)")
            #expect(known?.needsVersion == operation.needsVersion, "\(operation)")
            #expect((known?.takes != nil) == !endpoint.requestTypes.isEmpty, "\(operation)")
        }
    }

    /// Kinds of objects.
    private enum Object: String, CaseIterable {
        /// One that the sender's key has added, or that belongs to a user that it has added.
        case mine
        case another, unknown, malformed
    }

    @Test("Every cell: 401 without a key, 403 for other keys and roles, 404 for what is not reached")
    func cells() async throws {
        let stage = try await AdministrationFixture { $0.outOfBand.hasOwnUsers = true }
        let senders = AdministrationRole.allCases.map { "admin:\($0.rawValue)" } + ["service", "stranger"]
        var owned: [String: AdministrationObjects] = [:]
        for sender in senders { owned[sender] = try await AdministrationObjects(of: sender, in: stage) }
        let others = try await AdministrationObjects(of: nil, in: stage)
        // What ends an object comes last.
        for operation in described.sorted(by: { Self.rank($0) < Self.rank($1) }) {
            for sender in senders {
                // The user before is removed.
                if operation.id == "erasePerson", sender == "admin:operator" {
                    owned[sender] = try await AdministrationObjects(of: sender, in: stage)
                }
                for object in Object.allCases {
                    let objects = object == .mine ? owned[sender] : object == .another ? others : nil
                    let id =
                        objects?.id(in: operation.path) ?? (object == .malformed ? "%00!" : "AAAAAAAAAAAAAAAAAAAAAA")
                    let answer = try await ask(operation, id, as: sender, in: stage)
                    let expected = Self.expected(operation, sender, object)
                    #expect(
                        expected.contains(Int(answer.status.code)),
                        "\(operation.id), \(sender), \(object.rawValue): \(answer.status.code)")
                }
            }
        }
    }

    private static func rank(_ operation: Described) -> Int {
        let ends = [
            "operation", "cancelOperation", "dispatch", "invite", "removeCredential", "removePasskey", "endSessions",
            "removeDevice", "removeUser", "erasePerson",
        ]
        return ends.firstIndex(of: operation.id).map { $0 + 1 } ?? 0
    }

    /// Statuses that a cell may have.
    private static func expected(_ operation: Described, _ sender: String, _ object: Object) -> Set<Int> {
        if sender == "stranger" { return [401] }
        guard sender.hasPrefix("admin:"), operation.roles.contains(String(sender.dropFirst(6))) else { return [403] }
        let namesObject =
            operation.path.contains("{") || operation.asked.contains("user")
            || ["invite", "dispatch"].contains(operation.id)
        let isOfUser = !["/clients", "/client-secrets", "/messages", "/audit-subscribers"].contains {
            operation.path.contains($0)
        }
        if object == .malformed, operation.asked.contains("user") { return [400] }
        if namesObject { return object == .mine && isOfUser ? [200, 201, 204] : [404] }
        return switch operation.id {
        case "addUser", "addClient": [201, 409]
        case "importUsers", "pruneAudit": [422]
        default: [200, 204]
        }
    }

    /// Asks with a sound body, a reason and the version that the sender can read.
    private func ask(
        _ operation: Described, _ id: String, as sender: String, in stage: AdministrationFixture
    ) async throws -> TestResponse {
        let root = AdministrationOperation.root
        let parts = operation.path.dropFirst(root.count).split(separator: "{")
        var path = String(parts[0]) + (parts.count > 1 ? id : "")
        if operation.asked.contains("user") { path += "?user=\(id)" }
        if operation.asked.contains("chain") { path += "?chain=test" }
        if operation.asked.contains("before") { path += "?before=2020-01-01T00:00:00.000Z" }
        var request = AdministrationFixture.Request()
        request.reason = operation.method == "GET" ? nil : "the matrix"
        if operation.needsVersion {
            let unseen = "\"AAAAAAAAAAAAAAAAAAAAAA\""
            request.version = try await stage.send(.get, path, as: sender).headers[.eTag] ?? unseen
        }
        request.type = operation.takes ?? request.type
        request.body = operation.takes == nil ? nil : Self.body(of: operation, id)
        return try await stage.send(try #require(HTTPRequest.Method(operation.method)), path, as: sender, request)
    }

    private static func body(of operation: Described, _ id: String) -> String {
        switch operation.id {
        case "addUser": #"{"name":"new"}"#
        case "addClient": #"{"id":"new","name":"New","proof":"secret","redirectAddresses":["https://new.example/"]}"#
        case "changeUser": #"{"attributes":{"locale":"de"}}"#
        case "setPassword": #"{"password":"long enough"}"#
        case "pruneAudit": #"{"chain":"test","through":1,"before":"2020-01-01T00:00:00.000Z"}"#
        case "changeDevice": #"{"push":null}"#
        case "changeCredential": #"{"status":"active"}"#
        case "dispatch": #"{"kind":"authentication","user":"\#(id == "%00!" ? "no" : id)"}"#
        case "invite": #"{"user":"\#(id == "%00!" ? "no" : id)"}"#
        case "changeClient": #"{"disabled":true}"#
        default: #"{"username":"kim"}"#
        }
    }
}
