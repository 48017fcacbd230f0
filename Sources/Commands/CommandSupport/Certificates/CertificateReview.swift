import CryptoExtras
package import FoundationEssentials
import SwiftASN1
import X509

/// Review of a server certificate, with the reasons for which a careful client would refuse it.
package struct CertificateReview: Sendable {
    /// A reason for which Apple's systems, and sensible others, refuse a certificate.
    @nonexhaustive
    package enum Finding: Hashable, Sendable {
        /// Signed with SHA-1.
        case weakSignature
        /// An RSA key of fewer than 2048 bits.
        case shortKey(bitCount: Int)
        /// No extended key usage, or one without serverAuth.
        case notForServers
        /// The host name is in no subject alternative name; the common name does not count.
        case otherName(host: String)
        /// Valid for longer than 825 days, the most that Apple allows for a private authority.
        case tooLongValidity(days: Int)
        case notValidNow
        case endsSoon(days: Int)
    }

    /// Failure to find a certificate that can be read.
    package struct Unreadable: Error, Hashable {}

    package let notValidAfter: Date
    /// Last moment at which the certificate and every other one of the chain is valid.
    package let chainNotValidAfter: Date
    package let notValidBefore: Date
    /// The DNS names and IPv4 addresses that the certificate is for.
    package let names: [String]
    package let findings: [Finding]

    /// Looks at the first certificate of a chain in PEM form.
    ///
    /// Throws ``Unreadable`` when there is none.
    package init(chainPEM: String, host: String?, now: Date) throws(Unreadable) {
        let certificate: Certificate
        let others: [Certificate]
        let names: [GeneralName]
        let usages: ExtendedKeyUsage?
        do {
            let documents = try PEMDocument.parseMultiple(pemString: chainPEM)
            guard let first = documents.first else { throw Unreadable() }
            certificate = try Certificate(pemDocument: first)
            // A certificate behind it that cannot be read is for clients to judge.
            others = documents.dropFirst().compactMap { try? Certificate(pemDocument: $0) }
            names = Array(try certificate.extensions.subjectAlternativeNames ?? SubjectAlternativeNames())
            usages = try certificate.extensions.extendedKeyUsage
        } catch {
            throw Unreadable()
        }
        notValidAfter = certificate.notValidAfter
        chainNotValidAfter = others.map(\.notValidAfter).reduce(certificate.notValidAfter, min)
        notValidBefore = certificate.notValidBefore
        self.names = names.compactMap { name in
            switch name {
            case .dnsName(let name): name
            case .ipAddress(let address): Self.ipText(Array(address.bytes))
            default: nil
            }
        }
        var findings = Self.timeFindings(certificate, now: now) + Self.keyFindings(certificate)
        if !(usages?.contains(.serverAuth) ?? false) { findings.append(.notForServers) }
        if let host, !Self.names(names, cover: host) { findings.append(.otherName(host: host)) }
        self.findings = findings
    }

    /// The first certificate of a text in PEM form, as DER; nil when there is none.
    package static func firstCertificate(inPEM text: String) -> [UInt8]? {
        (try? PEMDocument.parseMultiple(pemString: text).first)?.derBytes
    }

    private static func timeFindings(_ certificate: Certificate, now: Date) -> [Finding] {
        let day: TimeInterval = 86_400
        let validDays = Int(certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore) / day)
        let daysLeft = Int(certificate.notValidAfter.timeIntervalSince(now) / day)
        var findings: [Finding] = []
        if validDays > 825 { findings.append(.tooLongValidity(days: validDays)) }
        if now < certificate.notValidBefore || now > certificate.notValidAfter {
            findings.append(.notValidNow)
        } else if daysLeft < 30 {
            findings.append(.endsSoon(days: daysLeft))
        }
        return findings
    }

    private static func keyFindings(_ certificate: Certificate) -> [Finding] {
        var findings: [Finding] = []
        if certificate.signatureAlgorithm == .sha1WithRSAEncryption { findings.append(.weakSignature) }
        if let key = _RSA.Signing.PublicKey(certificate.publicKey), key.keySizeInBits < 2_048 {
            findings.append(.shortKey(bitCount: key.keySizeInBits))
        }
        return findings
    }

    private static func names(_ names: [GeneralName], cover host: String) -> Bool {
        let host = host.lowercased()
        return names.contains { name in
            switch name {
            case .dnsName(let pattern): matches(host: host, pattern: pattern.lowercased())
            case .ipAddress(let address): ipText(Array(address.bytes)) == host
            default: false
            }
        }
    }

    /// One `*` for the first label, as RFC 6125 allows.
    private static func matches(host: String, pattern: String) -> Bool {
        if pattern.hasPrefix("*.") {
            guard let dot = host.firstIndex(of: "."), dot > host.startIndex else { return false }
            return host[dot...] == pattern.dropFirst()
        }
        return host == pattern
    }

    private static func ipText(_ bytes: [UInt8]) -> String? {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        let isLoopback = bytes.count == 16 && bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        return isLoopback ? "::1" : nil
    }
}
