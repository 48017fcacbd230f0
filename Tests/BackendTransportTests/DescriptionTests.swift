import BackendTransport
import Testing

/// The lists are written out: logs, recordings and commands show these texts, also where a build has no names of cases.
@Suite("Errors of an exchange are described by their names")
struct DescriptionTests {
    @Test("Errors of the transport show their names, and the limit that was passed")
    func errors() {
        let values: [BackendTransportError] = [
            .unusableAddress, .insecureAddress, .refusedHost, .unusableHeaderField, .unknownHost, .closedPort,
            .noConnection, .timedOut, .malformedResponse, .unusableTrustSettings, .cancelled,
            .responseTooLarge(limit: 65_536),
        ]
        #expect(
            values.map(\.description) == [
                "unusableAddress", "insecureAddress", "refusedHost", "unusableHeaderField", "unknownHost", "closedPort",
                "noConnection", "timedOut", "malformedResponse", "unusableTrustSettings", "cancelled",
                "responseTooLarge(limit: 65536)",
            ])
    }

    @Test("Refused connections show the reason")
    func connections() {
        let values: [BackendTransportError] = [
            .untrustedConnection(.untrustedCertificate), .untrustedConnection(.wrongHost),
            .untrustedConnection(.pinMismatch), .untrustedConnection(.handshake),
        ]
        #expect(
            values.map(\.description) == [
                "untrustedConnection(untrustedCertificate)", "untrustedConnection(wrongHost)",
                "untrustedConnection(pinMismatch)", "untrustedConnection(handshake)",
            ])
    }
}
