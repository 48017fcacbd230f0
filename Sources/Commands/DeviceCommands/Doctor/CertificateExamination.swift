import BackendTransport
import CommandSupport
import Foundation
import Octets

/// Check of the server's certificate against the requirements of strict clients, above all Apple's.
struct CertificateExamination {
    let connection: ConnectionFacts?
    let host: String
    let now: Date

    func findings() -> [DoctorFinding] {
        guard let connection else { return [] }
        return [version(connection)] + certificate(connection)
    }

    private func version(_ connection: ConnectionFacts) -> DoctorFinding {
        let name = connection.version == .tls12 ? "TLS 1.2" : "TLS 1.3"
        return DoctorFinding(name: "tls", verdict: .well, observation: "The connection uses \(name).")
    }

    private func certificate(_ connection: ConnectionFacts) -> [DoctorFinding] {
        guard let review = try? CertificateReview(chainPEM: Self.pem(connection.certificate), host: host, now: now)
        else {
            return [
                DoctorFinding(
                    name: "certificate", verdict: .weak, observation: "The certificate cannot be read.",
                    advice: "Issue it anew.")
            ]
        }
        guard !review.findings.isEmpty else {
            let end = review.notValidAfter.formatted(.iso8601.year().month().day())
            return [
                DoctorFinding(
                    name: "certificate", verdict: .well, observation: "The certificate is good until \(end).")
            ]
        }
        return review.findings.map(Self.describe)
    }

    /// PEM text of a certificate, with lines of 64 characters (RFC 7468 section 2).
    static func pem(_ certificate: [UInt8]) -> String {
        var rest = Substring(Base64.encode(certificate))
        var lines = ["-----BEGIN CERTIFICATE-----"]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        return (lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
    }

    private static func describe(_ finding: CertificateReview.Finding) -> DoctorFinding {
        let (observation, advice): (String, String) =
            switch finding {
            case .weakSignature: ("It is signed with SHA-1, which Apple refuses.", "Issue it with SHA-256.")
            case .shortKey(let bits): ("Its RSA key has \(bits) bits, which Apple refuses.", "Use 2048 bits or P-256.")
            case .notForServers:
                (
                    "It does not say that it is for servers, which Apple demands.",
                    "Issue it with extended key usage serverAuth."
                )
            case .otherName(let host):
                ("\(host) is in no subject alternative name; the common name does not count.", "Issue it for \(host).")
            case .tooLongValidity(let days):
                ("It is valid for \(days) days, longer than Apple allows.", "Issue it for 398 days or fewer.")
            case .notValidNow: ("It is not valid now.", "Renew it; check the clock.")
            case .endsSoon(let days): ("It ends in \(days) days.", "Renew it.")
            }
        return DoctorFinding(
            name: "certificate", verdict: .weak, observation: "The certificate: " + observation, advice: advice)
    }
}
