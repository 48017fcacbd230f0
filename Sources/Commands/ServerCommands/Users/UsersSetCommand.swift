import ArgumentParser
import CommandSupport
import ServerAdministration
import ServerCore
import StrictJSON

struct SetAttributes: SingleRequest {
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

    func validate() throws {
        guard !attributes.changes.isEmpty || !remove.isEmpty else {
            throw ValidationError("Name an attribute, such as --email or --remove groups.")
        }
        for name in remove where UserAttributes.Name(rawValue: name) == nil {
            let names = UserAttributes.Name.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--remove takes one of \(names).")
        }
    }

    var step: OperationStep {
        let members = attributes.members(removing: remove.compactMap { UserAttributes.Name(rawValue: $0) })
        return OperationStep(.changeUser, user.text, members: ["attributes": .object(members)])
    }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText {
        "\(user.terminal) has \(UserDescription(reply).attributeLine)."
    }
}
