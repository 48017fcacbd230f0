import ArgumentParser
import BackendAPI
import CommandSupport
import ServerCore
import StrictJSON
import UAF
import UAFService

/// Options that select credentials of one user.
///
/// Credentials with one AAID may be on several devices of the user, of which only one is lost: such a selection is
/// refused.
struct UserCredentialSelection: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Name or external id of the user.", valueName: "name"))
    var user: GivenName

    @OptionGroup var selection: CredentialSelection

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only the keys on this device: its name, or the id of its target.", valueName: "name or id"))
    var device: String?

    @Flag(name: .long, help: "Select all that match, on any device.")
    var all = false

    func validate() throws {
        guard selection.aaid != nil || device != nil || all else {
            throw ValidationError("Say which credentials with --aaid, --device or --all.")
        }
        guard !all || device == nil && selection.keyID == nil else {
            throw ValidationError("--all goes neither with --device nor with --key-id.")
        }
    }

    /// The selected credentials with their owner.
    ///
    /// Throws ``ServerCore/ServerError/credentialUnknown`` when there are none,
    /// ``ServerCore/ServerError/targetUnknown`` for an unknown device, and a ``CommandFailure`` that lists them when
    /// they are on several devices and no option selects one.
    func chosen(on services: ServerServices) async throws -> (owner: User, ids: [CredentialID]) {
        let owner = try await services.users.user(named: user.text)
        let targets = try await services.targets.targets(ofUserNamed: user.text)
        var found = try await services.users.credentials(of: owner).filter { selection.contains($0.id) }
        if let device {
            let id = try targets.named(device).id
            found = found.filter { $0.targetID == id }
        }
        guard !found.isEmpty else { throw ServerError.credentialUnknown }
        if !all && selection.keyID == nil { try Self.requireOneDevice(found, among: targets, of: owner) }
        return (owner, found.map(\.id))
    }

    /// Changes the selected credentials, and reports a line, and a member of the result, for each.
    ///
    /// `verb` is the past participle of the change, such as `removed`; also the name of the member.
    func report(
        _ verb: String, on services: ServerServices, _ change: ([CredentialID]) async throws -> [CredentialID]
    ) async throws -> CommandReport.Outcome {
        let (owner, ids) = try await chosen(on: services)
        let changed = try await change(ids)
        let objects = changed.map { id in
            JSONValue.object([
                "user": .string(owner.name.text), "aaid": .string(id.aaid.text), "keyId": .string(id.keyID.base64URL),
            ])
        }
        let title = verb.prefix(1).uppercased() + verb.dropFirst()
        let lines = changed.map { "\(title) \($0.aaid) \($0.keyID) of \(owner.name.terminal)." }
        return CommandReport.Outcome(text: TerminalText(lines: lines), result: [verb: .array(objects)])
    }

    /// Throws unless all credentials are on one device, or only one is selected; credentials without a known device may
    /// be on any.
    private static func requireOneDevice(
        _ found: [RegisteredCredential], among targets: [DispatchTarget], of owner: User
    ) throws {
        guard found.count > 1, Set(found.map(\.targetID)).count > 1 || found[0].targetID == nil else { return }
        let table = TextTable(
            head: ListedCredential.head,
            rows: found.map { ListedCredential($0, of: owner, among: targets).cells })
        throw CommandFailure.refused(
            "severalDevices",
            "these keys are on several devices; say which with --key-id or --device, or --all:\n\(table.text)")
    }
}

extension [DispatchTarget] {
    /// The dispatch target with this name or ID; throws ``ServerCore/ServerError/targetUnknown``.
    func named(_ text: String) throws(ServerError) -> DispatchTarget {
        guard let target = first(where: { $0.name == DeviceName(text) || $0.id.text == text }) else {
            throw .targetUnknown
        }
        return target
    }
}
