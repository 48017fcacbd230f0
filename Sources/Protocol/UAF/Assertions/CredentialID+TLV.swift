extension CredentialID {
    /// Reads AAID and KeyID from the signed part of an assertion.
    init(in fields: TLVFields) throws(TLVError) {
        let model = try fields.required(.aaid)
        guard let aaid = AAID(octets: model.value) else { throw .invalidValue(.aaid, position: model.position) }
        let key = try fields.required(.keyID)
        guard let keyID = KeyID(key.value) else { throw .invalidValue(.keyID, position: key.position) }
        self.init(aaid: aaid, keyID: keyID)
    }
}
