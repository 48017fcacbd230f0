import BackendAPI

/// What a phone says beside its answer, and what is known of it.
struct DeviceReport {
    /// What it says.
    let context: ResponseContext
    /// Who it is, for the audit.
    let client: ClientContext
}
