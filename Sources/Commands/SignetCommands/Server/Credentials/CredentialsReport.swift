import ServerCore
import StrictJSON
import UAF

/// What a command says that has changed credentials of a user.
struct CredentialsReport {
    /// The past participle, such as `removed`; also the member of the result.
    let verb: String

    /// The lines and members of an outcome.
    func outcome(_ ids: [CredentialID], of owner: User) -> CommandReport.Outcome {
        let objects = ids.map { id in
            JSONValue.object([
                "user": .string(owner.name.text), "aaid": .string(id.aaid.text), "keyId": .string(id.keyID.base64URL),
            ])
        }
        let lines = ids.map { id in
            "\(verb.prefix(1).uppercased() + verb.dropFirst()) \(id.aaid) \(id.keyID) of \(ForeignText.name(owner.name.text))."
        }
        return CommandReport.Outcome(
            text: lines.joined(separator: "\n"), result: [verb: .array(objects)])
    }
}
