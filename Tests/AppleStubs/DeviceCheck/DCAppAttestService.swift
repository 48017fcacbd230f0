public import Security

/// App Attest of the current device.
///
/// Its statements are text with the name of the key, a counter and the digest; no authority has signed them.
public final class DCAppAttestService: Sendable {
    /// The service.
    public class var shared: DCAppAttestService { DCAppAttestService() }

    /// Whether the device has App Attest.
    public var isSupported: Bool { StubDevice.current.with { $0.hasAppAttest } }

    /// Makes a key and returns its name, base64 of 32 bytes.
    public func generateKey() async throws -> String {
        try StubDevice.current.with { state -> Result<String, DCError> in
            if let failure = state.appAttestFailure { return .failure(DCError(failure)) }
            var octets = [UInt8](repeating: 0, count: 32)
            for index in octets.indices { octets[index] = UInt8.random(in: 0...255) }
            let name = Data(octets).base64EncodedString()
            state.appAttestKeys[name] = .some(nil)
            return .success(name)
        }.get()
    }

    /// States that the application has made the key; once.
    public func attestKey(_ keyId: String, clientDataHash: Data) async throws -> Data {
        try StubDevice.current.with { state -> Result<Data, DCError> in
            if let failure = state.appAttestFailure { return .failure(DCError(failure)) }
            guard clientDataHash.count == 32 else { return .failure(DCError(DCError.Code.invalidInput.rawValue)) }
            guard let counter = state.appAttestKeys[keyId], counter == nil else {
                return .failure(DCError(DCError.Code.invalidKey.rawValue))
            }
            state.appAttestKeys[keyId] = .some(0)
            return .success(Self.statement("attestation", keyId, 0, clientDataHash))
        }.get()
    }

    /// Signs by an attested key.
    public func generateAssertion(_ keyId: String, clientDataHash: Data) async throws -> Data {
        try StubDevice.current.with { state -> Result<Data, DCError> in
            if let failure = state.appAttestFailure { return .failure(DCError(failure)) }
            guard clientDataHash.count == 32 else { return .failure(DCError(DCError.Code.invalidInput.rawValue)) }
            guard let attested = state.appAttestKeys[keyId], let counter = attested else {
                return .failure(DCError(DCError.Code.invalidKey.rawValue))
            }
            state.appAttestKeys[keyId] = .some(counter + 1)
            return .success(Self.statement("assertion", keyId, counter + 1, clientDataHash))
        }.get()
    }

    private static func statement(_ kind: String, _ keyId: String, _ counter: Int, _ digest: Data) -> Data {
        Data("\(kind) \(keyId) \(counter) \(digest.base64EncodedString())".utf8)
    }
}
