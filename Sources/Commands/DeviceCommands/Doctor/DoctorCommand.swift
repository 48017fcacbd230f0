package import ArgumentParser
import BackendTransport
import BackendTransportLinux
import CommandSupport
import Foundation
import MobileAuthentication
import StrictJSON

/// `signet doctor`: finds out why a phone cannot use a server, or what occupies the memory of a TPM, and suggests a
/// remedy.
package struct DoctorCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check a server as a phone would, or a TPM, and say what to do.",
        discussion: """
            Finds out whether a phone could register and sign in there: the phone of --device, any phone of the family \
            of --profile, or any phone at all. It registers and changes nothing, tells the server no user name, and needs \
            no user: with --device the phone asks with its own signature whether its keys are still there.

            Exit code 0 (and "ok" in JSON) when nothing is in the way; 1 when something is.
            """)

    @Option(help: ArgumentHelp("The server; with --device the phone's server by default.", valueName: "URL"))
    var server: String?

    @Option(help: ArgumentHelp("The folder of the phone that is to use the server.", valueName: "DIR"))
    var device: String?

    @Option(help: "The family of phones that are to use the server: ios, android or linux.")
    var profile: DeviceFamily?

    @Option(help: ArgumentHelp("Certificates (PEM) to trust besides the system's.", valueName: "FILE"))
    var ca: String?

    @Option(help: ArgumentHelp("The facet that the server's list must hold.", valueName: "FACET"))
    var facet: String?

    @OptionGroup var chip: ChipExaminationOptions

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    package init() {}

    package func validate() throws {
        guard chip.tpm != (server != nil || device != nil) else {
            throw ValidationError("Name a server with --server, or a phone with --device, or give --tpm.")
        }
        guard !chip.tpm || (ca == nil && facet == nil && profile == nil) else {
            throw ValidationError("--ca, --facet and --profile go with --server.")
        }
        guard device == nil || profile == nil else { throw ValidationError("A --device has its --profile already.") }
    }

    package func run() async throws {
        let findings: [DoctorFinding]
        do {
            findings = [.flavor(MetaData.flavor)] + (try await examine())
        } catch {
            return try await CommandReport(program: .phone, format: format).run { throw error }
        }
        let isWell = !findings.contains { $0.verdict == .ill }
        switch format {
        case .text:
            let verdict = isWell ? "Nothing is" : "The findings with ✘ are"
            let aim = chip.tpm ? "new keys" : "registering and signing in"
            let texts = findings.map(\.text) + ["\(verdict) in the way of \(aim)."]
            print(ForeignText.page(texts.joined(separator: "\n")))
        case .json:
            let result = JSONObject(["checks": .array(findings.map(\.json))])
            print(JSONWriter.text(.object(JSONObject(["ok": .bool(isWell), "result": .object(result)]))))
        }
        if !isWell { throw ExitCode(CommandFailure.Kind.refused.rawValue) }
    }

    private func examine() async throws -> [DoctorFinding] {
        if chip.tpm { return await ChipExamination(options: chip).findings() }
        let folder = device.map(PhoneFolder.init(path:))
        let settings = try folder?.settings()
        let server = try Phone.address(server ?? settings?.server ?? "")
        let files = [try ca.map { try AuthorityFile.read($0) }, settings?.authorities.map { Array($0.utf8) }]
        let authorities = try files.compactMap(\.self).flatMap { try TransportTrust.certificates(inPEM: $0) }
        let trust = TransportTrust(issuers: MetaData.flavor.issuers(), additionalCertificates: authorities)
        let transport = AsyncHTTPClientTransport(trust: trust) { Int64(Date().timeIntervalSince1970) }
        func findings(_ phone: ExaminedPhone?) async -> [DoctorFinding] {
            await ServerExamination(server: server, facet: facet, transport: transport, phone: phone).findings()
        }
        guard let folder else { return await findings(profile.map { ExaminedPhone($0) }) }
        let network = try NetworkOptions.parse(ca.map { ["--ca", $0] } ?? [])
        return try await Phone.use(folder, network) { phone in
            try await findings(ExaminedPhone(phone, at: server))
                + phone.device.unansweredRegistrations.map(DoctorFinding.unanswered)
        }
    }
}
