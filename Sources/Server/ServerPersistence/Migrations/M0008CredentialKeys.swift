extension Migration {
    /// Finds credentials by their KeyID alone: an answer is judged by every holder of its KeyID, whatever the model.
    ///
    /// The unique pair of model and KeyID does not help there, and a search of the whole table grows with the users.
    package static let credentialKeys = Migration(
        8, "credential-keys", ["CREATE INDEX credentials_by_key ON credentials (key_id)"])
}
