package import BackendTransport

extension BackendTransportError {
    /// Every failure of a connection; the compiler asks for what is missing.
    package static let everyCase = Array(sequence(first: BackendTransportError.unusableAddress, next: \.next))

    private var next: BackendTransportError? {
        switch self {
        case .unusableAddress: .insecureAddress
        case .insecureAddress: .refusedHost
        case .refusedHost: .unusableHeaderField
        case .unusableHeaderField: .unknownHost
        case .unknownHost: .closedPort
        case .closedPort: .noConnection
        case .noConnection: .untrustedConnection(.untrustedCertificate)
        case .untrustedConnection(let failure): failure.next.map(Self.untrustedConnection) ?? .timedOut
        case .timedOut: .responseTooLarge(limit: 65_536)
        case .responseTooLarge: .malformedResponse
        case .malformedResponse: .unusableTrustSettings
        case .unusableTrustSettings: .cancelled
        case .cancelled: nil
        @unknown default: nil
        }
    }
}

extension TLSFailure {
    fileprivate var next: TLSFailure? {
        switch self {
        case .untrustedCertificate: .wrongHost
        case .wrongHost: .pinMismatch
        case .pinMismatch: .handshake
        case .handshake: nil
        @unknown default: nil
        }
    }
}
