// The page: each module does one thing; this one starts them.

import "/choices.js";
import "/controls.js";
import "/lock.js";
import "/shelf.js";
import { connect } from "/connection.js";
import { draw } from "/picture.js";

connect();
requestAnimationFrame(draw);
