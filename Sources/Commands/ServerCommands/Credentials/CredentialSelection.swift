import ArgumentParser
import CommandSupport
import StrictJSON
import UAF

struct CredentialSelection: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Model of the authenticator, such as F1D0#0001.", valueName: "aaid"))
    var aaid: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only this key of the model, as \"credentials list\" shows it.", valueName: "id"))
    var keyID: String?

    func validate() throws {
        guard keyID == nil || aaid != nil else { throw ValidationError("--key-id goes with --aaid.") }
        if let aaid, AAID(aaid) == nil { throw ValidationError("\(aaid) is no AAID; an AAID looks like F1D0#0001.") }
        if let keyID, KeyID(base64URL: keyID) == nil { throw ValidationError("\(keyID) is no key id.") }
    }

    /// AAID of the selected credentials; nil for every one.
    var model: AAID? { aaid.flatMap { AAID($0) } }
    /// Key ID of the selected credential; nil for every one with the AAID.
    var key: KeyID? { keyID.flatMap { KeyID(base64URL: $0) } }

    /// Whether a key in an answer of the administration API is selected.
    func contains(_ credential: JSONObject) -> Bool {
        (aaid == nil || credential.text("aaid") == model?.text)
            && (keyID == nil || credential.text("keyId") == key?.base64URL)
    }
}
