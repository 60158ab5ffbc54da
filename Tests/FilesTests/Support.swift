import Shared

typealias TemporaryFolder = Shared.TemporaryFolder
