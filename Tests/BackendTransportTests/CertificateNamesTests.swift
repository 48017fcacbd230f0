import Testing

@testable import BackendTransportLinux

@Suite("RFC 9525, section 6: which hosts a certificate is for")
struct CertificateNamesTests {
    @Test(
        "A name covers itself, a wildcard exactly one label",
        arguments: [
            ("example.com", "example.com"), ("EXAMPLE.com", "example.COM"), ("*.example.com", "a.example.com"),
            ("example.com", "example.com."), ("example.com.", "example.com"),
        ])
    func covered(name: String, host: String) {
        #expect(CertificateNames(dnsNames: ["other.org", name], addresses: []).cover(host: host, address: nil))
    }

    @Test(
        "Nothing else is covered",
        arguments: [
            ("example.com", "a.example.com"), ("*.example.com", "example.com"), ("*.example.com", "a.b.example.com"),
            ("*.com", "example.com"), ("a*.example.com", "ab.example.com"), ("", "example.com"), ("*", "localhost"),
            ("example.com.evil.org", "example.com"),
        ])
    func uncovered(name: String, host: String) {
        #expect(!CertificateNames(dnsNames: [name], addresses: []).cover(host: host, address: nil))
    }

    @Test("An address is covered by the same address only")
    func addresses() {
        let names = CertificateNames(dnsNames: [], addresses: ["127.0.0.1"])
        #expect(names.cover(host: "127.0.0.1", address: "127.0.0.1"))
        #expect(!names.cover(host: "127.0.0.1", address: "127.0.0.2"))
        #expect(
            !CertificateNames(dnsNames: ["localhost"], addresses: []).cover(host: "127.0.0.1", address: "127.0.0.1"))
        #expect(
            !CertificateNames(dnsNames: ["127.0.0.1"], addresses: []).cover(host: "127.0.0.1", address: "127.0.0.1"))
        #expect(!names.cover(host: "127.0.0.1", address: nil))
    }

    @Test("The address behind a name is covered by nothing: who answers queries for the name chooses it")
    func addressOfName() {
        let names = CertificateNames(dnsNames: ["other.example"], addresses: ["127.0.0.1", "::1"])
        for host in ["localhost", "login.example", "127.1"] {
            #expect(!names.cover(host: host, address: "127.0.0.1") && !names.cover(host: host, address: "::1"))
        }
        #expect(names.cover(host: "::1", address: "::1"))
    }
}
