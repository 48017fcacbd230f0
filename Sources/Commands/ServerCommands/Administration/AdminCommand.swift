import ArgumentParser
import BackendAPI
import CommandSupport
import Octets
import ServerAdministration
import ServerCore
import StrictJSON

/// Command that asks for an operation of the administration API.
///
/// It knows no operation by itself: names, paths, roles and needs are the ones of the table
/// ``AdministrationOperation``.
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Ask for any operation of the administration API.",
        discussion: """
            The commands users, devices, credentials, sessions, client, outgoing and audit are short forms of most \
            operations. All ask the server on this machine, which they find by --config and --data-directory; run them \
            as the account of the server. When none runs, they work on its files. A server elsewhere is named by --server, \
            with an access key that has a scope admin:...

              signet-server admin list-users --all
              signet-server admin change-user ID status=locked --reason "ticket 4711"
              signet-server admin change-user ID attributes.groups:='["staff"]' \\
                --reason "ticket 4712"

            NAME=VALUE is a member of the request, or a parameter of the address where the operation takes no JSON. \
            NAME:=JSON is a value that is no text, and a dot leads into an object. An identifier that begins with a \
            hyphen, and what follows it, stand behind "--", after the options. A change is made to the version that the \
            command has just read, or to the one that you have seen (--if-match).

            \(AdministrationOperation.table.description)
            """)

    @Argument(help: ArgumentHelp("The operation; without one the command lists all.", valueName: "operation"))
    var operation: String?

    @Argument(help: ArgumentHelp("Identifier where the operation has one, and NAME=VALUE.", valueName: "words"))
    var words: [String] = []

    @Option(
        name: [.long, .customShort("m")],
        help: ArgumentHelp("Why you change something; the audit keeps it.", valueName: "text"))
    var reason: String?

    @Option(
        name: .long, help: ArgumentHelp("Version that you have seen, instead of the present one.", valueName: "version")
    )
    var ifMatch: String?

    @Option(name: .long, help: ArgumentHelp("File that is the body of the request.", valueName: "file"))
    var body: String?

    @Flag(name: .long, help: "Show all pages of a list, each as soon as it is read.")
    var all = false

    @OptionGroup var place: AdministrationPlace
    @OptionGroup var options: ServerOptions

    func validate() throws {
        if let operation { _ = try request(operation) }
    }

    func run() async throws {
        guard let operation else {
            return try await options.commandReport.run { AdministrationOperation.catalogue }
        }
        let report = options.commandReport
        try await report.runSilently {
            var request = try request(operation)
            if let body { try request.take(bodyIn: body) }
            let asked = request
            try await place.ask(options) { server in
                try await server.pages(of: asked, isWhole: all) { report.announce($0.outcome(isWhole: all)) }
            }
        }
    }

    private func request(_ operation: String) throws -> AdministrationRequest {
        var request = try AdministrationRequest(operation, words, hasFile: body != nil)
        try request.say(why: reason)
        try request.take(version: ifMatch)
        return request
    }
}

/// Server elsewhere to which a command speaks with an access key.
struct AdministrationPlace: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Server elsewhere: https://HOST:PORT.", valueName: "url"))
    var server: String?

    @Option(name: .long, help: ArgumentHelp("Only authority (PEM) to trust for --server.", valueName: "file"))
    var ca: String?

    @Option(name: .long, help: ArgumentHelp("File with the access key for --server.", valueName: "file"))
    var keyFile: String?

    func validate() throws {
        guard let server else {
            guard ca == nil, keyFile == nil else { throw ValidationError("--ca and --key-file belong to --server.") }
            return
        }
        guard keyFile != nil else { throw ValidationError("--server needs an access key: --key-file.") }
        guard AdministrationClient.isAddress(server) else {
            throw ValidationError("--server is https://HOST:PORT, or http:// on this machine.")
        }
    }

    /// Calls `body` with a connection to the server that is named here, else to the one that the options select.
    func ask<Value>(
        _ options: ServerOptions, _ body: (AdministrationClient) async throws -> Value
    ) async throws -> Value {
        let client =
            try server.map { try AdministrationClient(at: $0, trusting: ca, keyFile: keyFile ?? "") }
            ?? AdministrationClient(beside: options)
        let result: Result<Value, any Error>
        do {
            result = .success(try await DatabaseFailures.explaining { try await body(client) })
        } catch {
            result = .failure(error)
        }
        try await client.close()
        return try result.get()
    }
}

extension AdministrationOperation {
    /// Operations that belong together, by the first words of their paths, with the command that has short forms of them.
    private static let groups: KeyValuePairs<String, Set<String>> = [
        "USERS": ["users", "imports", "passwords", "persons"], "PHONES AND KEYS": ["devices", "credentials"],
        "LOGINS": ["sessions", "operations", "invitations"], "WEB SITES": ["clients", "client-secrets", "messages"],
        "AUDIT": [
            "audit", "audit-chains", "audit-records", "audit-heads", "audit-verification", "audit-prunings",
            "audit-subscribers",
        ],
    ]
    private static let otherGroup = "SERVER"

    /// The name on a command line: `change-user`.
    var word: String {
        rawValue.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
    }

    /// Path below the root.
    private var path: Substring { endpoint.path.dropFirst(Self.root.count) }

    private var resource: String { path.split(separator: "/").first.map(String.init) ?? "" }

    private var group: String { Self.groups.first { $0.value.contains(resource) }?.key ?? Self.otherGroup }

    /// Command that lists the objects of which this operation takes one.
    var lister: String? {
        switch resource {
        case "users", "devices", "credentials": "\(resource) list"
        case "sessions", "operations", "invitations", "passwords", "persons": "users list"
        case "clients", "client-secrets": "client list"
        case "messages": "outgoing list"
        case "audit-subscribers": "admin \(Self.auditChains.word)"
        default: nil
        }
    }

    /// Roles that may ask for it, in words.
    var rolesInWords: String {
        let all = AdministrationRole.allCases
        return roles.count == all.count
            ? "all roles" : all.filter(roles.contains).map(\.rawValue).joined(separator: ", ")
    }

    /// Operation that reads the object which this one changes.
    var reader: AdministrationOperation? {
        Self.allCases.first { $0.endpoint.method == .get && $0.endpoint.path.hasSameOctets(as: endpoint.path) }
    }

    /// A table for each group.
    static var table: TerminalText {
        let titles = groups.map(\.key) + [otherGroup]
        return TerminalText(
            titles.map { title in
                let rows = allCases.filter { $0.group == title }.map { operation in
                    [
                        operation.word + (operation.endpoint.parameter == nil ? "" : " ID"),
                        "\(operation.endpoint.method.rawValue) \(operation.path)", operation.rolesInWords,
                    ]
                }
                return TextTable(head: [title, "REQUEST BELOW \(root)", "ROLES"], rows: rows).text + "\n"
            })
    }

    static var catalogue: CommandReport.Outcome {
        let operations = allCases.map { operation in
            JSONValue.object([
                "operation": .string(operation.word), "method": .string(operation.endpoint.method.rawValue),
                "path": .string(operation.endpoint.path),
                "roles": .array(operation.roles.map(\.rawValue).sorted().map { .string($0) }),
                "needsReason": .bool(operation.needsReason), "needsVersion": .bool(operation.needsVersion),
            ])
        }
        return CommandReport.Outcome(text: table, result: ["operations": .array(operations)])
    }
}
