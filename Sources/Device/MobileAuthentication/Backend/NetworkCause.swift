import BackendTransport
import Foundation

extension BackendTransportError {
    /// The error that an application finds as the cause of a `NetworkError`: a `URLError`, or one of the SDK.
    var forApplication: any Error {
        switch self {
        case .insecureAddress: InsecureAddressError()
        case .cancelled: CancellationError()
        case .unusableAddress: URLError(.badURL)
        case .unusableHeaderField: InvalidParameterError("requestHeaders")
        case .noConnection: URLError(.cannotConnectToHost)
        case .untrustedConnection(.wrongHost), .untrustedConnection(.untrustedCertificate),
            .untrustedConnection(.pinMismatch):
            URLError(.serverCertificateUntrusted)
        case .untrustedConnection: URLError(.secureConnectionFailed)
        case .timedOut: URLError(.timedOut)
        case .responseTooLarge: URLError(.dataLengthExceedsMaximum)
        case .malformedResponse: URLError(.badServerResponse)
        case .unusableTrustSettings: InvalidParameterError("additionalTrustedCertificates")
        @unknown default: URLError(.unknown)
        }
    }
}
