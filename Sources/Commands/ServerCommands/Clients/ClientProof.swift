import ArgumentParser
import CommandSupport
import Octets
import OpenID
import ServerCore

/// Proof of a client on the command line: a new secret in a file, a key set, or none.
struct ClientProof: ParsableArguments {
    /// Longest key set in octets.
    private static let keySetLimit = 16_384

    @Option(
        name: .long,
        help: ArgumentHelp("New file for a new secret; mode 0600, never on the terminal.", valueName: "file"))
    var secretFile: String?

    @Option(name: .long, help: ArgumentHelp("File with the public keys of the client (JWK set).", valueName: "file"))
    var keySet: String?

    @Option(name: .long, help: ArgumentHelp("Address of the public keys of the client.", valueName: "url"))
    var keySetAddress: String?

    @Flag(name: .customLong("public"), help: "Add a client that keeps no secret, such as an application on a phone.")
    var isPublic = false

    /// The proof; a new secret is written to its file.
    func authentication(random: any RandomSource) throws -> RegisteredClient.Authentication {
        let count = [secretFile, keySet, keySetAddress].compactMap(\.self).count + (isPublic ? 1 : 0)
        guard count == 1 else {
            throw CommandFailure.refused(
                "proofMissing", "give one of --secret-file, --key-set, --key-set-address and --public")
        }
        if let secretFile { return .secret(try Self.writeSecret(to: secretFile, random: random)) }
        if let keySet { return .privateKey(.document(try Self.keySet(in: keySet))) }
        guard let keySetAddress else { return .none }
        guard let address = OutgoingAddress(keySetAddress) else {
            throw CommandFailure.refused("invalidAddress", "--key-set-address takes an https address")
        }
        return .privateKey(.address(address))
    }

    static func writeSecret(to path: String, random: any RandomSource) throws -> ClientSecretHash {
        ClientSecretHash(of: try NewSecretFile(path: path).write(random: random).reveal().utf8)
    }

    private static func keySet(in path: String) throws(CommandFailure) -> [UInt8] {
        guard let content = PosixFiles().contents(of: path) else {
            throw .local("fileUnusable", "cannot read \(path)")
        }
        guard content.count <= keySetLimit else { throw .refused("keySetTooLong", "\(path) has more than 16 KiB") }
        if let fault = KeySetFault(of: content) { throw .refused("keySetUnusable", "\(path) \(fault)") }
        return content
    }
}

/// File for a fresh secret, such as the key of a system.
struct NewSecretFile {
    let path: String

    /// Writes a secret of 32 random octets in Base64url with mode 0600; throws `fileExists` for a file that is there.
    func write(random: any RandomSource) throws -> Sensitive<String> {
        let files = PosixFiles()
        guard files.permissions(of: path) == nil else {
            throw CommandFailure.refused("fileExists", "\(path) exists; a secret goes to a new file")
        }
        let text = Sensitive(Base64URL.encode(random.bytes(count: 32)))
        try files.writeNew(Array((text.reveal() + "\n").utf8), to: path, mode: 0o600)
        return text
    }
}
