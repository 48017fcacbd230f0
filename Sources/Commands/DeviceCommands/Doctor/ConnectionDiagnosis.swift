import BackendTransport
import BackendTransportLinux
import CommandSupport
import Foundation

/// Diagnosis of a connection that failed or is not trusted, as precise as it can be from the client's side.
struct ConnectionDiagnosis {
    let server: URL
    let request: BackendRequest
    let patience: Duration
    let now: Date

    func finding(for error: BackendTransportError) async -> DoctorFinding {
        if case .responseTooLarge = error { return Self.foreign }
        if case .malformedResponse = error { return Self.foreign }
        if case .refusedHost = error {
            return ill(
                "production-host", "The debug flavour of signet talks to loopback and private hosts only.",
                "Use a signet that was built without the trait DebugFlavor.")
        }
        // Trusts any certificate, because this connection only inspects the server and sends it nothing confidential.
        let curious = AsyncHTTPClientTransport(trust: TransportTrust(issuers: .any)) { [now] in
            Int64(now.timeIntervalSince1970)
        }
        _ = try? await curious.response(to: request)
        guard let facts = curious.presented(at: request.url) else { return withoutCertificate() }
        let pem = CertificateExamination.pem(facts.certificate)
        guard let review = try? CertificateReview(chainPEM: pem, host: server.host(), now: now) else {
            return ill("certificate", "The certificate cannot be read.", "Issue a new one.")
        }
        if review.findings.contains(.notValidNow) { return await outOfTime(review) }
        if case .untrustedConnection = error { return untrusted(review) }
        return error == .timedOut
            ? ill("silent", "It speaks TLS and then stays silent.", "Look at its load, and at a proxy in front of it.")
            : ill(
                "cut-off", "It speaks TLS and then cuts the connection off.",
                "Look into the log of the server, and of a proxy in front of it.")
    }

    private func untrusted(_ review: CertificateReview) -> DoctorFinding {
        let host = server.host() ?? ""
        if review.findings.contains(.otherName(host: host)) {
            let names = review.names.isEmpty ? "no name" : review.names.joined(separator: ", ")
            return ill(
                "wrong-name", "The certificate is for \(names), not for \(host).",
                "Use one of these names as the address, or issue a certificate for \(host).")
        }
        if review.findings.contains(.weakSignature) {
            return ill("weak-signature", "The certificate is signed with SHA-1.", "Issue a new one with SHA-256.")
        }
        return ill(
            "unknown-issuer", "This machine does not know the issuer of the certificate.",
            "For a server with its own authority give --ca DATA-DIRECTORY/tls/ca.pem (the server says where); else "
                + "have the server send the whole chain, or install its authority.")
    }

    /// Finding for a certificate that is not valid by this machine's clock; the server's clock shows which side is
    /// wrong.
    private func outOfTime(_ review: CertificateReview) async -> DoctorFinding {
        let inside = Int64(review.notValidBefore.timeIntervalSince1970) + 1
        let patient = AsyncHTTPClientTransport(trust: TransportTrust(issuers: .any)) { inside }
        if let answer = try? await patient.response(to: request), let text = answer.headers.first("Date"),
            let theirs = ClockExamination.date(text), review.notValidBefore <= theirs, theirs <= review.notValidAfter
        {
            return ill(
                "clock",
                "This machine's clock is \(ClockExamination.words(theirs, against: now)) the server's, so that the "
                    + "certificate seems not to be valid.",
                "Set the clocks by NTP.")
        }
        let isOver = now > review.notValidAfter
        let date = (isOver ? review.notValidAfter : review.notValidBefore).formatted(.iso8601.year().month().day())
        let age = ClockExamination.amount(
            abs(now.timeIntervalSince(isOver ? review.notValidAfter : review.notValidBefore)))
        return isOver
            ? ill(
                "expired", "The certificate has expired on \(date), \(age) ago.",
                "Renew it; signet-server reloads the new files; you may have to restart other servers.")
            : ill(
                "not-yet-valid", "The certificate is valid only from \(date) on, in \(age).",
                "Set the clock of the machine that has issued it, and issue it anew.")
    }

    // MARK: - Below TLS

    private func withoutCertificate() -> DoctorFinding {
        let host = server.host() ?? ""
        let port = server.port ?? 443
        let milliseconds = Int32(clamping: patience.components.seconds * 1_000 + 1)
        let raw = RawConnection(host: host, port: port, patience: min(milliseconds, 5_000))
        switch raw.answer(to: RawConnection.oldHello) {
        case .unknownHost:
            return ill("unknown-host", "The name \(host) has no address.", "Check the spelling, and the DNS.")
        case .refused:
            return ill(
                "connection-refused", "No server listens on port \(port) of \(host).",
                "Is the server running (signet-server serve), and is the port right?")
        case .unreachable:
            return ill(
                "unreachable", "Port \(port) of \(host) cannot be reached.",
                "Look at firewalls, routes and whether the machine is up.")
        case .silent:
            return ill(
                "silent", "Port \(port) accepts the connection and stays silent.",
                "Look at the load of the server, at a firewall, and whether the port speaks TLS.")
        case .closed: return plain(raw) ?? cutOff(port)
        case .bytes(let bytes): return first(bytes) ?? plain(raw) ?? Self.foreign
        }
    }

    /// Finding for the first bytes of the response to an old ClientHello.
    private func first(_ bytes: [UInt8]) -> DoctorFinding? {
        if bytes.starts(with: Array("HTTP/".utf8)) { return Self.plainText }
        guard bytes.count >= 3, bytes[1] == 3 else { return nil }
        switch bytes[0] {
        case 0x16:
            return ill(
                "old-tls", "It speaks TLS 1.1 or older only.", "Switch TLS 1.2 and 1.3 on; older versions are broken.")
        case 0x15:
            return ill(
                "no-common-tls", "It speaks TLS, but no version or cipher suite that this phone has.",
                "Offer TLS 1.3, or TLS 1.2 with ECDHE and AES-GCM or ChaCha20.")
        default: return nil
        }
    }

    private func plain(_ raw: RawConnection) -> DoctorFinding? {
        let request = "GET / HTTP/1.1\r\nHost: \(raw.host)\r\nConnection: close\r\n\r\n"
        guard case .bytes(let bytes) = raw.answer(to: Array(request.utf8)) else { return nil }
        return bytes.starts(with: Array("HTTP/".utf8)) ? Self.plainText : nil
    }

    private func cutOff(_ port: Int) -> DoctorFinding {
        ill(
            "cut-off", "Port \(port) accepts the connection and cuts it off.",
            "Look into the log of the server, and of a proxy in front of it.")
    }

    private static let plainText = DoctorFinding(
        name: "plain-text", verdict: .ill, observation: "The port speaks HTTP without TLS.",
        advice: "Give the address of the TLS port; signet-server speaks TLS unless server.protocol is http.")

    static let foreign = DoctorFinding(
        name: "not-signet", verdict: .ill, observation: "The server there is not a Signet server.",
        advice: "Check host and port.")

    private func ill(_ name: String, _ observation: String, _ advice: String) -> DoctorFinding {
        DoctorFinding(name: name, verdict: .ill, observation: observation, advice: advice)
    }
}
