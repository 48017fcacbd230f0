import ArgumentParser
import CommandSupport
import ServerAdministration
import ServerCore
import StrictJSON

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
        help: ArgumentHelp("Only the keys on this device: its name, or its id.", valueName: "name or id"))
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

    /// A request for each selected credential; `verb` is the past participle of what it does.
    func steps(
        on server: some AdministrationConnection, _ operation: AdministrationOperation, _ members: JSONObject?,
        _ verb: String
    ) async throws -> [OperationStep] {
        try await chosen(on: server).map { key in
            OperationStep(
                operation, key.text("id"), members: members,
                done: "\(verb) \(key.text("aaid") ?? "-") \(key.text("keyId") ?? "-") of \(user.terminal).")
        }
    }

    /// The selected credentials.
    ///
    /// Throws ``ServerCore/ServerError/credentialUnknown`` when there are none,
    /// ``ServerCore/ServerError/targetUnknown`` for an unknown device, and a ``CommandFailure`` that lists them when
    /// they are on several devices and no option selects one.
    private func chosen(on server: some AdministrationConnection) async throws -> [JSONObject] {
        let phones = try await server.phones(of: user.text)
        let onDevices = try device.map { [try phones.named($0)] } ?? phones.devices
        let elsewhere = device == nil ? phones.keysElsewhere : []
        let found = (onDevices.map { $0.objects("credentials") } + [elsewhere]).map { $0.filter(selection.contains) }
            .filter { !$0.isEmpty }
        guard !found.isEmpty else { throw ServerError.credentialUnknown }
        // Credentials without a known device may be on any.
        let isOnOne = found.count == 1 && (found[0].count == 1 || found[0][0]["device"] != nil)
        guard all || selection.keyID != nil || isOnOne else { throw Self.severalDevices(Array(found.joined())) }
        return Array(found.joined())
    }

    private static func severalDevices(_ found: [JSONObject]) -> CommandFailure {
        let members = ["aaid", "keyId", "device", "lastUsedAt"]
        let table = TextTable(
            head: ["AAID", "KEY ID", "DEVICE", "LAST USED"],
            rows: found.map { key in members.map { ForeignText.name(key.text($0) ?? "-") } })
        return .refused(
            "severalDevices",
            "these keys are on several devices; say which with --key-id or --device, or --all:\n\(table.text)")
    }
}
