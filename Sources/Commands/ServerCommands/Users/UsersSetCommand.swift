import ArgumentParser
import CommandSupport
import ServerCore
import StrictJSON
import UAF
import UAFService

struct UsersSetCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set attributes of a user: names, e-mail address, locale, groups.",
        discussion: """
            Attributes that you do not name stay as they are. The server tells a web site an attribute when the site asks \
            for a scope that it may have (client set --scope): profile for the names and the locale, email for the address, \
            groups for the groups.
            """)

    @Argument(help: "Name or external id of the user.")
    var user: GivenName

    @OptionGroup var attributes: AttributeOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Attribute to remove: name, given_name, family_name, email, email_verified, locale or groups; repeatable.",
            valueName: "attribute"))
    var remove: [String] = []

    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard !attributes.changes.isEmpty || !remove.isEmpty else {
            throw ValidationError("Name an attribute, such as --email or --remove groups.")
        }
        for name in remove where UserAttributes.Name(rawValue: name) == nil {
            let names = UserAttributes.Name.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--remove takes one of \(names).")
        }
    }

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let user = try await services.users.user(named: user.text)
        var changes = attributes.changes
        for name in remove.compactMap({ UserAttributes.Name(rawValue: $0) }) where changes[name] == nil {
            changes[name] = .null
        }
        if let fault = try await services.users.change(changes, of: user) { throw CommandFailure.attribute(fault) }
        let now = try await services.users.attributes(of: user)
        let line = now == UserAttributes() ? "no attributes" : UserDescription.line(now)
        return CommandReport.Outcome(
            text: "\(user.name.terminal) has \(line).", result: UserDescription.json(user, now))
    }
}
