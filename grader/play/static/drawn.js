// @ts-check

/* A page whose boards are only pictures. */

import { drawPictures } from "./page.js";

drawPictures();
