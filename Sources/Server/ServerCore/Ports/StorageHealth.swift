/// Whether the storage still takes what is written.
package protocol StorageHealth: Sendable {
    /// Why the last write failed, in words for an operator; nil while writes succeed.
    ///
    /// It stays until a write that reaches the disk in any case succeeds (``ClockStore/advance(_:_:)``).
    var trouble: String? { get }
}
