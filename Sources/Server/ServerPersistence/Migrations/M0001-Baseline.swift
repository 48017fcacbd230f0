extension Migration {
    /// The whole form of the first release.
    package static let baseline = Migration(1, "0.1", Baseline.statements)
}

/// Tables and indexes of the first release, by subject.
enum Baseline {
    static let statements = users + credentials + ceremonies + sessions + audit + openID + recovery + messages + server
}
