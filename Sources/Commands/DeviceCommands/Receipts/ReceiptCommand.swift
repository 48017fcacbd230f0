package import ArgumentParser
import CommandSupport
import JOSE
import Receipts
import StrictJSON
import UAF

package struct ReceiptCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "receipt", abstract: "Check receipts of confirmed operations, without the server.",
        subcommands: [ReceiptVerifyCommand.self])

    package init() {}
}

struct ReceiptVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check a receipt: who has confirmed which text, with which key.",
        discussion: """
            It uses no network. Exits with 0 when everything holds, with 1 and the name of the finding that does not \
            hold, with 2 when a file cannot be read. The server publishes the keys of all receipts at \
            /.well-known/signet-receipt-keys.json; with --audit the receipt is compared with its record in an export \
            of at most 16 MiB ("signet-server audit export --chain … --after …").
            """)

    @Argument(help: ArgumentHelp("The receipt, a compact JWS.", valueName: "file"))
    var file: String

    @Option(name: .long, help: ArgumentHelp("The public keys of receipts (a JWK set).", valueName: "file"))
    var keys: String

    @Option(name: .long, help: ArgumentHelp("An exported audit, one JSON object a line.", valueName: "file"))
    var audit: String?

    @Option(name: .long, help: "The form of the output.")
    var format = OutputFormat.text

    func run() async throws {
        try await CommandReport(program: .phone, format: format).run { try outcome() }
    }

    /// The findings about the receipt; throws a ``CommandFailure`` for the first that does not hold.
    func outcome() throws(CommandFailure) -> CommandReport.Outcome {
        let text = try Self.text(of: file)
        let octets = try Self.octets(of: keys)
        guard let set = try? JWKS(json: octets) else {
            throw .local("KeysUnreadable", "the file with the keys is no JWK set of public keys")
        }
        var lines: [[UInt8]]?
        if let audit { lines = try Self.octets(of: audit).split(separator: UInt8(ascii: "\n")).map { Array($0) } }
        do throws(ReceiptError) {
            return Self.outcome(try ReceiptVerifier().verify(text, keys: set, audit: lines), isInAudit: lines != nil)
        } catch {
            throw Self.failure(error)
        }
    }

    private static func outcome(_ receipt: Receipt, isInAudit: Bool) -> CommandReport.Outcome {
        let findings = ReceiptFinding.allCases.filter { $0 != .audit || isInAudit }.map(\.rawValue)
        let moment = receipt.confirmedAt
        return CommandReport.Outcome(
            text: """
                the receipt holds: \(findings.joined(separator: ", "))
                user: \(ForeignText.name(receipt.username)) (\(ForeignText.name(receipt.subject)))
                text: \(receipt.text.map(ForeignText.name) ?? "none, a sign-in")
                asked by: \(ForeignText.name(receipt.audience)), confirmed at \(moment) seconds since 1970
                key: \(receipt.credential.aaid.text), protection \(ForeignText.name(receipt.protection))
                """,
            result: [
                "findings": .array(findings.map { .string($0) }), "issuer": .string(receipt.issuer),
                "audience": .string(receipt.audience), "userId": .string(receipt.subject),
                "username": .string(receipt.username), "ceremony": .string(receipt.ceremony),
                "confirmedAt": .integer(moment), "text": receipt.text.map { .string($0) },
                "aaid": .string(receipt.credential.aaid.text), "protection": .string(receipt.protection),
                "auditChain": .string(receipt.chain), "auditSequence": .integer(receipt.sequence),
            ])
    }

    private static func failure(_ error: ReceiptError) -> CommandFailure {
        switch error {
        case .malformed(let claim):
            .refused(
                "malformed", "this is no receipt: \(claim.map { "\($0) is missing or wrong" } ?? "its form is wrong")")
        case .refused(let finding):
            .refused(finding.rawValue, "the receipt does not hold: \(finding.rawValue)")
        case .unknownAlgorithm:
            .refused("unknownAlgorithm", "the authenticator signs with an algorithm that this command does not verify")
        }
    }

    // MARK: - Files

    private static func text(of path: String) throws(CommandFailure) -> String {
        let octets = try octets(of: path)
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw .refused("malformed", "this is no receipt: its form is wrong")
        }
        // A compact JWS holds no white space; an editor puts some at the end of a file.
        return String(text.filter { !$0.isWhitespace })
    }

    private static func octets(of path: String) throws(CommandFailure) -> [UInt8] {
        guard let octets = PosixFiles().contents(of: path) else {
            throw .local("FileUnreadable", "the file \(ForeignText.name(path)) cannot be read")
        }
        return octets
    }
}
