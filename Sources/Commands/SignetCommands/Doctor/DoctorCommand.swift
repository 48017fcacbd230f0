import ArgumentParser
import BackendTransport
import Foundation
import StrictJSON

/// `signet doctor`: why a phone cannot use a server, and what to do about it.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Looks at a server as a phone does, and says what to do.")

    @Option(help: ArgumentHelp("The server.", valueName: "URL"))
    var server: String

    @Option(help: ArgumentHelp("Certificates (PEM) to trust besides the system's.", valueName: "FILE"))
    var ca: String?

    @Option(help: ArgumentHelp("The facet that the server's list must hold.", valueName: "FACET"))
    var facet: String?

    @Option(help: "How the outcome is told: text or json.")
    var format = OutputFormat.text

    func run() async throws {
        let findings: [DoctorFinding]
        do {
            findings = try await examine()
        } catch {
            return try await CommandReport(format: format).run { throw error }
        }
        let isWell = !findings.contains { $0.verdict == .ill }
        switch format {
        case .text: print(findings.map(\.text).joined(separator: "\n"))
        case .json:
            let result = JSONObject(["checks": .array(findings.map(\.json))])
            print(JSONWriter.text(.object(JSONObject(["ok": .bool(isWell), "result": .object(result)]))))
        }
        if !isWell { throw ExitCode(CommandFailure.Kind.refused.rawValue) }
    }

    private func examine() async throws -> [DoctorFinding] {
        let server = try Phone.address(server)
        let authorities = try ca.map { try TransportTrust.certificates(inPEM: try AuthorityFile.read($0)) } ?? []
        let transport = AsyncHTTPClientTransport(trust: TransportTrust(additionalCertificates: authorities)) {
            Int64(Date().timeIntervalSince1970)
        }
        return await ServerExamination(server: server, facet: facet, transport: transport).findings()
    }
}
