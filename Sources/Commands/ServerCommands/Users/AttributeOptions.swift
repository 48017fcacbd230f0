import ArgumentParser
import ServerCore
import StrictJSON

/// Attributes of a user on the command line; what is not named stays as it is.
struct AttributeOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Full name, as shown to people.", valueName: "name"))
    var fullName: String?

    @Option(name: .long, help: ArgumentHelp("Given name.", valueName: "name"))
    var givenName: String?

    @Option(name: .long, help: ArgumentHelp("Family name.", valueName: "name"))
    var familyName: String?

    @Option(name: .long, help: ArgumentHelp("E-mail address; a new one counts as not verified.", valueName: "address"))
    var email: String?

    @Flag(
        name: .long, inversion: .prefixedNo,
        help: "Mark the e-mail address as verified: you have made sure that it belongs to the user.")
    var emailVerified: Bool?

    @Option(name: .long, help: ArgumentHelp("Language tag, such as de-CH.", valueName: "tag"))
    var locale: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Group of the user; repeatable, the list replaces the previous one.", valueName: "name"))
    var group: [String] = []

    var changes: [UserAttributes.Name: JSONValue] {
        let texts: [(UserAttributes.Name, String?)] = [
            (.name, fullName), (.givenName, givenName), (.familyName, familyName), (.email, email), (.locale, locale),
        ]
        var changes: [UserAttributes.Name: JSONValue] = [:]
        for (name, text) in texts { changes[name] = text.map { .string($0) } }
        changes[.emailVerified] = emailVerified.map { .bool($0) }
        if !group.isEmpty { changes[.groups] = .array(group.map { .string($0) }) }
        return changes
    }

    /// Members of a request; `removed` are attributes to remove that no option sets.
    func members(removing removed: [UserAttributes.Name] = []) -> JSONObject {
        let changes = changes.merging(removed.map { ($0, .null) }) { given, _ in given }
        return JSONObject(
            distinct: UserAttributes.Name.allCases.compactMap { name in
                changes[name].map { JSONObject.Member(name.rawValue, $0) }
            })
    }
}
