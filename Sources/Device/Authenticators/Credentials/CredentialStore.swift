/// Where a device keeps its credentials; every change is one step, also across processes and crashes.
///
/// Calls block on a file for a few milliseconds, and on another process that holds the store for at most ten seconds.
package protocol CredentialStore: Sendable {
    /// What is stored now.
    func contents() throws(CredentialStoreError) -> StoredCredentials

    /// Reads, changes and writes in one step; what was written is durable when the call returns.
    ///
    /// A change that leaves everything as it was writes nothing.
    func update<Value>(_ change: (inout StoredCredentials) -> Value) throws(CredentialStoreError) -> Value
}
