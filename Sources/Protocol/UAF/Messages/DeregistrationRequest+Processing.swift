extension DeregistrationRequest {
    /// The keys that a client has to forget, out of those it holds for the effective AppID, in the order it holds them.
    ///
    /// FIDO UAF Protocol 1.1, 3.6.4.2. Keys of other AppIDs must not be handed in: the request is unauthenticated and
    /// may touch only what belongs to its caller. Keys and models that are not there are passed over silently.
    public func keysToForget(among held: [CredentialID]) -> [CredentialID] {
        held.filter { credential in
            authenticators.contains { entry in
                switch entry {
                case .key(let named): named == credential
                case .allKeys(let aaid): aaid == credential.aaid
                case .everything: true
                }
            }
        }
    }
}
