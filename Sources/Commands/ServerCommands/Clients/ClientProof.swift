import ArgumentParser
import CommandSupport
import Octets
import ServerCore
import StrictJSON

/// Proof of a client on the command line: a new secret in a file, a key set, or none.
struct ClientProof: ParsableArguments {
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

    func validate() throws {
        let count = [secretFile, keySet, keySetAddress].compactMap(\.self).count + (isPublic ? 1 : 0)
        guard count == 1 else {
            throw ValidationError("Give one of --secret-file, --key-set, --key-set-address and --public.")
        }
    }

    /// Members of the request; throws a ``CommandFailure`` for a file that cannot be read, and for one that exists.
    var members: [JSONObject.Member] {
        get throws {
            if let secretFile { try NewSecretFile(path: secretFile).requireNew() }
            guard let keySet else {
                return [.init("proof", .string(secretFile != nil ? "secret" : keySetAddress ?? "none"))]
            }
            guard let content = PosixFiles().contents(of: keySet) else {
                throw CommandFailure.local("fileUnusable", "cannot read \(keySet)")
            }
            if let fault = KeySetFault(of: content) {
                throw CommandFailure.refused("keySetUnusable", "\(keySet) \(fault)")
            }
            return [.init("proof", .string("keys")), .init("keys", try JSONParser.parse(content))]
        }
    }
}

/// File for a fresh secret, such as the key of a system.
struct NewSecretFile {
    let path: String

    /// Writes a secret of 32 random octets in Base64url with mode 0600; throws `fileExists` for a file that is there.
    func write(random: any RandomSource) throws {
        try requireNew()
        try write(Base64URL.encode(random.bytes(count: 32)))
    }

    /// Writes the secret in the answer about a client, which is nowhere else.
    func write(secretOf reply: AdministrationReply, _ client: String) throws {
        guard let secret = try reply.values.first?.asObject().text("secret") else {
            throw CommandFailure.local("foreignAnswer", "the answer has no secret: look with \"client show\"")
        }
        do {
            try write(secret)
        } catch let error as PosixFiles.Failure {
            throw CommandFailure.local(
                "fileUnusable",
                "the client \(ForeignText.name(client)) has a secret that could not be written (\(error)): give it another "
                    + "one with \"client reset-secret\"")
        }
    }

    func requireNew() throws {
        guard PosixFiles().permissions(of: path) == nil else {
            throw CommandFailure.refused("fileExists", "\(path) exists; a secret goes to a new file")
        }
    }

    private func write(_ secret: String) throws {
        try PosixFiles().writeNew(Array((secret + "\n").utf8), to: path, mode: 0o600)
    }
}
